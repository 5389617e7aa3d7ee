import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

/** Each asks the program itself for the words that fit, so that all three know the same. */
const SCRIPTS = {
  bash: `_drover() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(drover __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _drover drover
`,
  zsh: `#compdef drover
_drover() {
  local -a found
  found=("\${(@f)$(drover __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "$found[1]" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _drover drover
`,
  fish: `function __drover_complete
  set -l words (commandline -opc) (commandline -ct)
  drover __complete -- $words[2..-1] 2>/dev/null
end
complete -c drover -a '(__drover_complete)'
`,
} as const;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command.addArgument(command.createArgument("<shell>", "which shell").choices(Object.keys(SCRIPTS)));
  addExamples(
    command,
    "drover completion bash > drover-completion.bash",
    "drover completion zsh > _drover",
    "drover completion fish > drover.fish",
  );
  command.addHelpText(
    "after",
    "\nLoad the file in your shell's start-up file, or put it where your shell looks for such files.",
  );
  command.action(async (shell: keyof typeof SCRIPTS) => {
    terminal.out(SCRIPTS[shell]);
    await finish(Promise.resolve(EXIT.ok));
  });
}
