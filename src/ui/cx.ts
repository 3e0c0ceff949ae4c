// Joins class names; what is false is left out.

export function cx(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
