/** Branches that belong to the installation itself. */
export const RESERVED_BRANCHES = ["main", "master", "develop", "release", "devops"] as const;

/** k3d refuses longer names. */
export const K3D_NAME_LENGTH = 32;
/** A node is called NAME-control-plane, and its name becomes a label of at most 63 characters. */
export const KIND_NAME_LENGTH = 49;
/** With several control planes there is also NAME-external-load-balancer. */
export const KIND_NAME_LENGTH_BALANCED = 40;
