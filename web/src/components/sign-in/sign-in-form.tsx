import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { type ApiError, isApiError } from "../../api/api-error.ts";
import { addressOf } from "../../api/client.ts";
import { readLinkToken, useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import css from "./sign-in.module.css";

/** The ways in: the link that Drover printed, name and password, the organisation's OpenID provider. */
export function SignInForm() {
  const m = useMessages();
  const { signIn, user } = useSession();
  const ways = useApi(["login"], "sessions", "listLoginWays", {});
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (credentials: Parameters<typeof signIn>[0]) => {
    setBusy(true);
    setError(null);
    await signIn(credentials).catch((reason: unknown) => {
      if (!isApiError(reason)) throw reason;
      setError(reason);
    });
    setBusy(false);
  };
  useEffect(() => {
    const token = readLinkToken(location.hash);
    if (token === null) return;
    history.replaceState(null, "", location.pathname === "/login" ? "/" : location.pathname + location.search);
    void attempt({ token });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a link is used once, when the page opens
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(event.currentTarget));
    if (typeof name === "string" && typeof password === "string") void attempt({ name, password });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      {error === null ? null : <ErrorPanel error={error} />}
      {error?.code === "rate-limited" && error.retryAfterSeconds !== null ? (
        <p role="status">{m.signIn.throttled(error.retryAfterSeconds)}</p>
      ) : null}
      <TextInput
        name="name"
        label={m.signIn.name}
        autoComplete="username"
        defaultValue={user?.name ?? ""}
        required
        withAsterisk={false}
        maxLength={64}
        data-autofocus
      />
      <PasswordInput
        name="password"
        label={m.signIn.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={1024}
        visibilityToggleButtonProps={{ "aria-label": m.signIn.showPassword }}
      />
      <Button type="submit" loading={isBusy} fullWidth>
        {m.signIn.submit}
      </Button>
      {ways.data?.openId === true ? (
        <>
          <div className={css.or}>{m.signIn.or}</div>
          <Button
            component="a"
            variant="default"
            href={addressOf("sessions", "startOidc", { query: { returnTo: location.pathname } })}
          >
            {m.signIn.openId}
          </Button>
        </>
      ) : null}
    </form>
  );
}
