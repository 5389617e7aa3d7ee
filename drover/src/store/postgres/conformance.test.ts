import { postgresSubject } from "../../../test/store-world.ts";
import { describeStore } from "../../ports/store/store.conformance.ts";

describeStore(postgresSubject);
