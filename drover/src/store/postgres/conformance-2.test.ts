import { postgresSubject } from "../../../test/store-world.ts";
import { describeStore, STORE_THEMES } from "../../ports/store/store.conformance.ts";

describeStore(
  postgresSubject,
  STORE_THEMES.filter((_, index) => index % 2 === 1),
);
