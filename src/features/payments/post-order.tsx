// PostOrder: the final confirmation before a post is bought.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { beginPayment } from '#contract/payments/payments.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { call } from '#src/domain/api/api.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { amountParts } from '#src/domain/posts/amount-text.ts'
import { yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { ClosedOrder, OrderFrame, Row, StatementRow } from './order-frame.tsx'
import { orderText, postOrderText as words, postRefusal } from './text.ts'
import { usePayment } from './use-payment.ts'

interface PostOrderProps {
  post: PostView
  onBought: () => void
}

export function PostOrder({ post, onBought }: PostOrderProps) {
  const { access } = post
  if (access.is === 'full') return <Closed postId={post.id} {...words.closed.bought} />
  if (access.wants !== 'purchase' || access.price === null)
    return <Closed postId={post.id} {...words.closed.notForSale} />
  return <Confirmation post={post} access={access} price={access.price} onBought={onBought} />
}

function Closed({ postId, ...texts }: { postId: string; title: string; text: string }) {
  return (
    <ClosedOrder
      {...texts}
      action={
        <Link to="/post/$id" params={{ id: postId }} replace className={buttonClass('quiet')}>
          {words.closed.toPost}
        </Link>
      }
    />
  )
}

interface ConfirmationProps extends PostOrderProps {
  access: Extract<PostView['access'], { is: 'preview' }>
  /** Yen, tax included. */
  price: number
}

function Confirmation({ post, access, price, onBought }: ConfirmationProps) {
  const client = useQueryClient()
  const { confirm, ...payment } = usePayment({
    begin: (id) => call(beginPayment, { body: { payment_id: id, post_id: post.id, price } }),
    readAgain: () => client.invalidateQueries(queryFor(getPost, { params: { post_id: post.id } })),
    had: 'already_bought',
    onHad: onBought,
    refusals: postRefusal,
  })
  return (
    <OrderFrame
      {...payment}
      isSale
      due={{ price, postId: post.id }}
      lead={orderText.lead}
      creatorId={post.author.id}
      offline={words.offline}
      action={{ label: orderText.confirm, busy: orderText.opening }}
      onConfirm={confirm}
      cancel={
        <Link
          to="/post/$id"
          params={{ id: post.id }}
          replace
          className={buttonClass('quiet', 'normal', true)}
        >
          {text.cancel}
        </Link>
      }
    >
      <Row name={words.rows.item}>
        {post.title !== undefined && <span className="block font-semibold">{post.title}</span>}
        <span className="tabular-nums">{[words.item, ...amountParts(access)].join('・')}</span>
        {post.introduction !== undefined && (
          <span className="block whitespace-pre-wrap text-sm text-soft">{post.introduction}</span>
        )}
        <Teaser url={access.blurred_url} />
      </Row>
      <Row name={words.rows.seller}>{post.author.name}</Row>
      <Row name={words.rows.price}>
        <span className="text-xl font-semibold">
          <Money amount={price} text={yen(price)} note={orderText.taxIncluded} />
        </span>
        <span className="block text-sm text-soft">{orderText.noFees}</span>
      </Row>
      <Row name={words.rows.payment}>{words.payment}</Row>
      <StatementRow />
      <Row name={words.rows.delivery}>{words.delivery}</Row>
      <Row name={words.rows.period}>{words.period}</Row>
      <Row name={words.rows.cancelling}>{words.cancelling}</Row>
    </OrderFrame>
  )
}

/** The blurred picture of the post, so that a person sees which one they buy. */
function Teaser({ url }: { url: string | null }) {
  if (url === null) return null
  return <img src={url} alt="" className="mt-2 aspect-video w-40 rounded-field bg-sunk object-cover" />
}
