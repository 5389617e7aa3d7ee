import { describeSeeds } from "./describe-seeds.ts";

describeSeeds(0);
