// The texts of a post as one, for what reads all that its author wrote.

/** Title, introduction and text of a post, each on lines of its own. */
export const allTextsOf = ({
  title,
  introduction,
  content,
}: {
  readonly title: string
  readonly introduction: string
  readonly content: string
}): string => [title, introduction, content].filter((it) => it !== '').join('\n')
