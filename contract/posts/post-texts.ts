// The texts of a post as its author sends them.
import * as v from 'valibot'
import { MAX_ALT, MAX_CONTENT, MAX_INTRODUCTION, MAX_POST_TITLE } from '#contract/limits.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines, keepsTo } from '#contract/text/text-rule.ts'

/** What one image shows. Forms send line ends as two characters, which the writer counted as one. */
export const imageAlt = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  maxLength(MAX_ALT),
)

/** The text of a post. */
export const postContent = v.pipe(v.string(), v.transform(asLines), maxLength(MAX_CONTENT))

/** The open title of a post: one line, or '' for none. */
export const postTitle = v.pipe(v.string(), v.trim(), keepsTo({ max: MAX_POST_TITLE, shape: 'name' }))

/** The open introduction of a post, or '' for none. */
export const postIntroduction = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  maxLength(MAX_INTRODUCTION),
)
