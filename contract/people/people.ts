// People: profiles, public account data, and suggestions.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { MAX_BIO, MAX_LINKS, MAX_NAME } from '#contract/limits.ts'
import { openPicture } from '#contract/posts/media.ts'
import { HANDLE, mentionView } from '#contract/text/mentions.ts'
import { planCard } from '#contract/plans/plans.ts'
import { maxLength, nameText, orBlank, protocolUrl } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { halfWidth } from '#contract/text/width.ts'

export const personView = v.object({
  id,
  name: v.string(),
  /** What `@name` in a text leads to them by; null until chosen. */
  handle: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
})
export type PersonView = v.InferOutput<typeof personView>

/** Relation of the viewer to another person. A mute or block is visible only to its author. */
export const relationView = v.object({
  following: v.boolean(),
  /** They follow the viewer. */
  followed_by: v.boolean(),
  muted: v.boolean(),
  /** The viewer has blocked them. */
  blocked: v.boolean(),
})
export type RelationView = v.InferOutput<typeof relationView>

/** A person in a list: name, beginning of the biography, relation to the viewer. */
export const listedPerson = v.object({
  ...personView.entries,
  bio: v.string(),
  /** Null for the viewer themselves. */
  relation: v.nullable(relationView),
})
export type ListedPerson = v.InferOutput<typeof listedPerson>

export const profileView = v.object({
  ...personView.entries,
  bio: v.string(),
  /** Whom the `@` names in `bio` mean. */
  mentions: v.array(mentionView),
  links: v.array(v.string()),
  /** The wide picture above the profile. */
  cover: v.nullable(openPicture),
  post_count: v.number(),
  follower_count: v.number(),
  following_count: v.number(),
  /** Of both counts. */
  count_version: countVersion,
  /** Plans that have not ended, in the creator's order. */
  plans: v.array(planCard),
  /** Null for visitors and for the viewer's own profile. Of a person the viewer blocked, only the name is given. */
  relation: v.nullable(relationView),
})
export type ProfileView = v.InferOutput<typeof profileView>

/** A person who does not exist and one who has blocked the viewer get the same reply. */
export const getProfile = endpoint({
  name: 'getProfile',
  method: 'GET',
  path: '/users/:user_id',
  audience: 'member',
  cached: true,
  summary: 'プロフィール',
  params: v.object({ user_id: id }),
  reply: profileView,
  errors: ['unauthenticated', 'not_found'],
})

/** Suggested creators: not followed, muted or blocked; followed by the member's people first. */
export const suggestPeople = endpoint({
  name: 'suggestPeople',
  method: 'GET',
  path: '/people/suggested',
  audience: 'member',
  summary: 'おすすめのクリエイター',
  reply: v.object({ people: v.array(listedPerson) }),
  errors: ['unauthenticated'],
})

/** A handle as people type it: of either width, with or without its @. */
export const handle = v.pipe(
  v.string('malformed'),
  v.transform((it) =>
    halfWidth(it)
      .trim()
      .replace(/^[@＠]/, '')
      .toLowerCase(),
  ),
  v.regex(HANDLE, 'handle'),
)

/** Text of several lines, as the writer counted it: forms may send line ends as two characters. */
const bio = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  maxLength(MAX_BIO),
)

const ownProfile = {
  name: nameText(MAX_NAME),
  handle: orBlank(handle),
  bio,
}
/** The single fields of the profile form; links are a list. */
export const profileFields = ownProfile

const profileChange = v.object({
  ...ownProfile,
  links: v.pipe(v.array(protocolUrl), v.maxLength(MAX_LINKS, 'too_long')),
})
export type ProfileChange = v.InferOutput<typeof profileChange>

/**
 * The member's public profile. A handle of another account is refused as `taken`, a name or handle that imitates
 * as the operator as `reserved` (docs/decisions/046).
 */
export const changeProfile = endpoint({
  name: 'changeProfile',
  method: 'PUT',
  path: '/profile',
  audience: 'member',
  summary: '自分のプロフィールを変更します',
  body: profileChange,
  reply: profileView,
  errors: ['unauthenticated'],
})

/** Whether the member may have this handle; their own is allowed. `reserved`: it is for the operator. */
export const checkHandle = endpoint({
  name: 'checkHandle',
  method: 'GET',
  path: '/profile/handle',
  audience: 'member',
  summary: 'ユーザー名が使えるか',
  query: v.object({ handle }),
  reply: v.object({ free: v.boolean(), reserved: v.boolean() }),
  errors: ['unauthenticated'],
})

export const pictureRole = v.picklist(['avatar', 'cover'])
export type PictureRole = v.InferOutput<typeof pictureRole>

/** `making`: a new picture was sent and replaces the old one when it is processed. `failed`: it could not be processed. */
const pictureState = v.object({ url: v.nullable(v.string()), next: v.picklist(['none', 'making', 'failed']) })
const pictures = v.object({ avatar: pictureState, cover: pictureState })

export const getOwnPictures = endpoint({
  name: 'getOwnPictures',
  method: 'GET',
  path: '/profile/pictures',
  audience: 'member',
  summary: '自分のアイコンとカバー',
  reply: pictures,
  errors: ['unauthenticated'],
})

/** Sends a picture, cropped by the device. Until it is made the old one stays. */
export const putPicture = endpoint({
  name: 'putPicture',
  method: 'PUT',
  path: '/profile/pictures/:role',
  audience: 'member',
  summary: 'アイコンまたはカバーを変更します',
  params: v.object({ role: pictureRole }),
  body: v.object({}),
  encoding: 'multipart',
  files: ['picture'],
  reply: pictures,
  errors: ['unauthenticated', 'too_large', 'unsupported_media', 'storage_limit', 'storage_full'],
})

export const removePicture = endpoint({
  name: 'removePicture',
  method: 'DELETE',
  path: '/profile/pictures/:role',
  audience: 'member',
  summary: 'アイコンまたはカバーを外します',
  params: v.object({ role: pictureRole }),
  reply: pictures,
  errors: ['unauthenticated'],
})
