import { postgresSubject } from "../../../test/store-world.ts";
import { describeStore, STORE_THEMES } from "../../ports/store/store.conformance.ts";

// In two files, because test files run side by side: every other theme is in the second one.
describeStore(
  postgresSubject,
  STORE_THEMES.filter((_, index) => index % 2 === 0),
);
