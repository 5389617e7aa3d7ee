import { listSqliteDrivers } from "../../../test/sqlite-drivers.ts";
import { sqliteSubject } from "../../../test/store-world.ts";
import { describeStore } from "../../ports/store/store.conformance.ts";

for (const driver of listSqliteDrivers()) describeStore(sqliteSubject(driver));
