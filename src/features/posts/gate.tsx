// Gate: shown in place of a closed post, with the way to open it.
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { PostAccess, PostView } from '#contract/posts/posts.ts'
import { useFailedSource } from '#src/lib/failed-source.ts'
import { amountParts } from '#src/domain/posts/amount-text.ts'
import { yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Money } from '#src/ui/text/money.tsx'
import { text } from '#src/domain/text/text.ts'

type Preview = Extract<PostAccess, { is: 'preview' }>

interface GateProps {
  postId: string
  access: Preview
  author: PostView['author']
  /** Whether to link to the author; false on the author's own page. */
  withAuthor: boolean
}

const words = text.gate

/** Classes of a link on the gate, on a picture or on the page's background. */
const pillClass = (pictured: boolean) =>
  cx(
    'relative z-1 inline-flex min-h-11 shrink-0 items-center rounded-pill border px-5 text-sm font-semibold',
    pictured ? 'border-white hover:bg-white/15' : 'border-edge hover:bg-raised',
  )
const linkClassOf = (pictured: boolean) => cx('mt-4', pillClass(pictured))

export function Gate({ postId, access, author, withAuthor }: GateProps) {
  // Without the picture the texts are shown on the page's background.
  const [isFailed, fail] = useFailedSource(access.blurred_url)
  const blurred = isFailed ? null : access.blurred_url
  const pictured = blurred !== null
  return (
    <div
      className={cx(
        // Clipped, not hidden: the ratio then yields to texts and buttons that need more height.
        'relative grid overflow-clip',
        pictured
          ? 'aspect-4/3 w-full place-items-center bg-sunk py-8 text-white'
          : 'border-y border-line bg-sunk py-8',
      )}
    >
      {blurred !== null && (
        <>
          <img
            src={blurred}
            alt=""
            decoding="async"
            onError={fail}
            className="absolute inset-0 size-full object-cover"
          />
          <span className="absolute inset-0 bg-black/60" />
        </>
      )}
      <div className="relative flex flex-col items-center justify-center gap-1 px-6 text-center">
        <Lock aria-hidden size={28} className="mb-2" />
        <Requirement postId={postId} access={access} pictured={pictured} />
        <Contents access={access} />
        {access.wants === 'purchase' && access.price !== null && (
          <Link to="/payment" search={{ post: postId }} className={cx(buttonClass('seal'), 'z-1 mt-4')}>
            {words.buy}
          </Link>
        )}
        {withAuthor && (
          <Link to="/profile/$id" params={{ id: author.id }} className={linkClassOf(pictured)}>
            {words.author}
          </Link>
        )}
      </div>
    </div>
  )
}

interface RequirementProps {
  postId: string
  access: Preview
  pictured: boolean
}

function Requirement({ postId, access, pictured }: RequirementProps) {
  const quiet = pictured ? '' : 'text-soft'
  switch (access.wants) {
    case 'plan':
      return (
        <>
          <p className="text-lg font-semibold">{words.plan}</p>
          <p className={cx('text-sm', quiet)}>
            {access.before_joining ? words.beforeJoining : words.planHint}
          </p>
          <Plans postId={postId} access={access} pictured={pictured} />
        </>
      )
    case 'purchase':
      return (
        <>
          <p className="text-lg font-semibold">{words.purchase}</p>
          <p className={cx('text-sm', quiet)}>{words.purchaseHint}</p>
          {access.price !== null && (
            <p className="mt-2 text-xl font-semibold">
              <Money amount={access.price} text={yen(access.price)} note={words.taxIncluded} />
            </p>
          )}
        </>
      )
    case 'age':
      return (
        <>
          <p className="text-lg font-semibold">{words.age}</p>
          <p className={cx('text-sm', quiet)}>{words.ageHint}</p>
          <Link to="/settings/privacy-and-security" className={linkClassOf(pictured)}>
            {words.ageSettings}
          </Link>
        </>
      )
    case 'sign_in':
      return <p className="text-lg font-semibold">{words.sign_in}</p>
    default:
      return access.wants satisfies never
  }
}

/** The plans that open the post, each with a link to join it. For a member of one of them, the reason why it stays closed. */
function Plans({ postId, access: { plans, before_joining: hasJoined = false }, pictured }: RequirementProps) {
  const isOne = plans.length === 1
  return (
    <ul className={cx('flex flex-col', isOne ? 'mt-2 items-center' : 'mt-4 w-full max-w-80 gap-3')}>
      {plans.map((plan) => (
        <li
          key={plan.id}
          className={
            isOne
              ? 'contents'
              : cx('flex items-center gap-4', hasJoined ? 'justify-center' : 'justify-between')
          }
        >
          <span className={cx('flex min-w-0 flex-wrap gap-x-3', isOne ? 'justify-center' : 'text-left')}>
            <span className="font-semibold break-words">{plan.name}</span>
            <Money amount={plan.price} text={yen(plan.price)} note={words.perMonth} />
          </span>
          {!hasJoined && (
            <Link
              to="/payment"
              search={{ plan: plan.id, from: postId }}
              {...(!isOne && { 'aria-label': words.joinOf(plan.name) })}
              className={isOne ? cx(buttonClass('seal'), 'z-1 my-3') : pillClass(pictured)}
            >
              {words.join}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Contents({ access }: { access: Preview }) {
  const parts = amountParts(access)
  return parts.length > 0 && <p className="text-sm tabular-nums">{parts.join('・')}</p>
}
