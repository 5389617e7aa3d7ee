/** What the fields of a cluster on machines read from the document, and how they change it. */
export interface SshFieldsProps {
  readonly value: unknown;
  readonly errorAt: (path: string) => string | undefined;
  readonly onSet: (path: string, value: unknown) => void;
  readonly onEdit: (change: (text: string) => string) => void;
}
