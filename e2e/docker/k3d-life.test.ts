import { OLDER } from "./support/docker-place.ts";
import { tellLife } from "./support/tell-life.ts";

tellLife("k3d", OLDER);
