/** The words of a text that somebody searches by. */
export const splitWords = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
