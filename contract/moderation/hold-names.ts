// Names of automatic holds, and limits of blocked words.

/**
 * Why a post or comment is held. `word`: it has a word of a list. `media`: a picture or video is like a removed one. `link`: a new
 * account wrote a link to a person who does not follow it. `intimate`: a person who is shown in it has asked (inquiries of that kind). `undeclared`: an age-limited film is
 * sold without the declaration of its author, who ends the hold by declaring.
 */
export const holdReasons = ['word', 'media', 'link', 'intimate', 'undeclared'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Who reviews it: staff, or the author of the post below which a comment is. */
export const reviewers = ['staff', 'creator'] as const
export type Reviewer = (typeof reviewers)[number]

/**
 * `open`: waits for its review. `approved`: shown to others since. `removed`: a measure was taken, or the reviewing creator deleted the
 * comment. `withdrawn`: its author deleted it first.
 */
export const holdStates = ['open', 'approved', 'removed', 'withdrawn'] as const
export type HoldState = (typeof holdStates)[number]

/** Longest blocked word, grapheme clusters. */
export const MAX_BLOCKED_WORD = 50
/** Longest folded word, characters: some signs fold to many. */
export const MAX_FOLDED_WORD = 100
/** Longest note of staff about a word, grapheme clusters. */
export const MAX_WORD_NOTE = 200
/** Most blocked words of one person. */
export const MAX_OWN_WORDS = 200
/** Most words on the list of the operator. */
export const MAX_OPERATOR_WORDS = 1000
