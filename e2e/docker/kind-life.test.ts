import { NEWER } from "./support/docker-place.ts";
import { tellLife } from "./support/tell-life.ts";

tellLife("kind", NEWER);
