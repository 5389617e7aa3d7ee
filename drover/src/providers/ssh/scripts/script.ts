/**
 * A shell script that runs on a machine. It is a constant: what differs from run to run reaches it as arguments, which no
 * shell reads. Its name stands in the list of processes there.
 */
export interface Script {
  readonly name: string;
  readonly text: string;
}

export const argvOf = ({ name, text }: Script, ...values: readonly string[]): readonly [string, ...string[]] => [
  "sh",
  "-c",
  text,
  name,
  ...values,
];
