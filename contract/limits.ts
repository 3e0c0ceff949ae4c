// Constants of the specification (sections 5 and 9), and the limits of browser and server.

export const MiB = 1024 * 1024

/** Largest total of a post's media, bytes (section 9: 1024 MB). */
export const MAX_TOTAL_BYTES = 1024 * MiB
/** Chunk of the resumable protocol, bytes (section 7). */
export const TUS_CHUNK = 5 * MiB
/** An upload is handed to the browser while so many bytes are missing: it stores them once more, which takes time and room. */
export const HAND_OVER_BYTES = 100 * MiB
/** Chunk of the legacy protocol, bytes (section 9). */
export const LEGACY_CHUNK = 6_291_456
/** Waits before a request is tried again, ms (section 9). */
export const RETRY_DELAYS = [0, 1000, 3000, 5000] as const
/** Where in a video the thumbnail is taken, seconds (section 9). */
export const THUMBNAIL_AT = 2
/** Progress shown until the post is released, percent (section 4). */
export const PROGRESS_CAP = 99
/** Least time between two updates of the progress on the screen, ms (section 9). */
export const PROGRESS_EVERY = 500
/** A toast closes by itself after this, ms (section 9). */
export const TOAST_MS = 3000
/** A message about an upload closes by itself after this, ms (section 9). */
export const UPLOAD_INFO_MS = 5000
/** The page is not reloaded twice within this time, ms (section 9). */
export const RELOAD_GUARD_MS = 10_000
/** Life of the token cookie and its companion, ms (section 9). */
export const COOKIE_MS = 31_536_000_000
/** Both cookies are set again on unload when less than this is left, ms (section 9: about 300 days). */
export const COOKIE_RENEW_BELOW_MS = 300 * 24 * 3600 * 1000

/** Longest post text, grapheme clusters. */
export const MAX_CONTENT = 10_000
/** Longest title of a post, grapheme clusters: one line that lists, receipts and emails have room for. */
export const MAX_POST_TITLE = 60
/** Longest introduction of a post, grapheme clusters. */
export const MAX_INTRODUCTION = 200
/** Longest comment, grapheme clusters. */
export const MAX_COMMENT = 1000
/** Longest message, grapheme clusters. */
export const MAX_MESSAGE = 2000
/** Most images of one message. */
export const MAX_MESSAGE_IMAGES = 10
/** Most videos of one message. */
export const MAX_MESSAGE_VIDEOS = 1
/** Most pinned conversations of a person. */
export const MAX_PINNED = 10
/** Most messages of a message request, until it is accepted. */
export const MAX_REQUEST_MESSAGES = 3
/** How long a message can be unsent, ms. */
export const UNSEND_MS = 24 * 3600_000
/** Most plans that open one post. */
export const MAX_PLANS_OF_POST = 50
/** Most plans of one creator that have not ended. */
export const MAX_PLANS = 10
/** Longest description of a plan, grapheme clusters. */
export const MAX_PLAN_TEXT = 2000
/** Longest message of thanks to a new member, grapheme clusters. */
export const MAX_THANKS = 1000
/** Highest limit of a plan's members. */
export const MAX_MEMBER_LIMIT = 1_000_000
/** Members know at least so long before that a plan ends, days. */
export const PLAN_NOTICE_DAYS = 30
/** A plan ends at most so long after its end was announced, days. */
export const PLAN_NOTICE_MAX_DAYS = 365
/** Minutes after which an offer that stays opens plans to those who are members already: a mistake is corrected sooner. */
export const PLAN_SETTLING_MINUTES = 10
/** Largest picture that is decoded, pixels; of a moving picture, those of all frames together. */
export const MAX_PIXELS = 100_000_000
/** Most frames of a moving picture. */
export const MAX_FRAMES = 1000
/** Most images of one post. */
export const MAX_IMAGES = 20
/** Longest description of one image, grapheme clusters: screen readers read it without a pause. */
export const MAX_ALT = 1000
/** Largest thumbnail or placeholder that travels inside `/post/add`, bytes. */
export const MAX_INLINE_IMAGE = 10 * MiB
/** Largest picture of the post itself that travels there (legacy protocol), bytes. */
export const MAX_INLINE_PICTURE = 100 * MiB
/** Price of a type 3 post, yen. */
export const MIN_PRICE = 100
export const MAX_PRICE = 50_000
/** Longest addressee of a receipt, grapheme clusters. */
export const MAX_ADDRESSEE = 100
/** Largest text field of a multipart form, bytes: `MAX_CONTENT` characters of most scripts, and a third more. */
export const MAX_FIELD_BYTES = 256 * 1024
/** All text fields of one multipart form together, their names included, bytes. */
export const MAX_FIELDS_BYTES = 384 * 1024
/** Youngest member, years (section 9). */
export const MIN_AGE = 18
export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 32
export const MAX_NAME = 50
/** Longest biography, grapheme clusters. */
export const MAX_BIO = 400
/** Most links on a profile. */
export const MAX_LINKS = 5
/** Longest word on why something is reported, grapheme clusters. */
export const MAX_REPORT = 1000
/** Longest search, grapheme clusters. */
export const MAX_QUERY = 100
export const MAX_EMAIL = 254
/** Longest name on a bank card or account (section 9). */
export const MAX_ACCOUNT_NAME = 100
export const MAX_URL = 2048
/** A registration not confirmed within this is forgotten, ms. */
export const REGISTRATION_MS = 24 * 3600_000
