//! The outbox: items that arrive while a frame leaves go together into the next frame.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use prost::Message;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::Stream;

use crate::v1::bot_item::Item;
use crate::v1::{BotItem, PlayRequest};

const MOST_ITEMS: usize = 256; // of a frame
const MOST_BYTES: usize = 48 * 1024; // of a frame, which may have 64 KB

/// The way to the present stream; what is put there without a stream is dropped, because answers
/// are sent when their asks are repeated.
#[derive(Clone, Default)]
pub(crate) struct Outbox(Arc<Mutex<Option<UnboundedSender<BotItem>>>>);

impl Outbox {
    /// The frames of a new stream.
    pub(crate) fn open(&self) -> Frames {
        let (sender, items) = unbounded_channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        Frames { items, next: None, has_yielded: false }
    }

    /// Send this with the next frame.
    pub(crate) fn put(&self, item: Item) {
        if let Some(sender) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = sender.send(BotItem { item: Some(item) });
        }
    }

    /// End the frames when all items are sent.
    pub(crate) fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Frames with the waiting items, each as soon as there is an item, until the outbox is closed.
pub(crate) struct Frames {
    items: UnboundedReceiver<BotItem>,
    next: Option<BotItem>, // the one that did not fit the last frame, or is the first of the next
    has_yielded: bool,     // to others that are about to put something, since `next` is there
}

impl Stream for Frames {
    type Item = PlayRequest;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<PlayRequest>> {
        let first = match self.next.take() {
            Some(item) => item,
            None => match ready!(self.items.poll_recv(context)) {
                Some(item) => item,
                None => return Poll::Ready(None),
            },
        };
        if !std::mem::replace(&mut self.has_yielded, true) {
            self.next = Some(first); // it leaves in one frame with what comes meanwhile
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.has_yielded = false;
        let mut bytes = first.encoded_len();
        let mut items = vec![first];
        while items.len() < MOST_ITEMS
            && let Ok(item) = self.items.try_recv()
        {
            bytes += item.encoded_len();
            if bytes > MOST_BYTES {
                self.next = Some(item);
                break;
            }
            items.push(item);
        }
        Poll::Ready(Some(PlayRequest { items }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{Choice, Pong};
    use tokio_stream::StreamExt;

    #[tokio::test]
    async fn what_waits_leaves_in_one_frame() {
        let outbox = Outbox::default();
        let mut frames = outbox.open();
        (0..300).for_each(|id| outbox.put(Item::Pong(Pong { id })));
        outbox.close();
        assert_eq!(frames.next().await.unwrap().items.len(), 256);
        assert_eq!(frames.next().await.unwrap().items.len(), 44);
        assert!(frames.next().await.is_none());
    }

    #[tokio::test]
    async fn no_frame_is_too_large() {
        let outbox = Outbox::default();
        let frames = outbox.open();
        for ask_id in 0..256 {
            let fallback = "ß".repeat(200);
            outbox.put(Item::Choice(Choice { ask_id, answer: None, fallback }));
        }
        outbox.close();
        let frames: Vec<PlayRequest> = frames.collect().await;
        assert_eq!(frames.iter().map(|frame| frame.items.len()).sum::<usize>(), 256);
        assert!(frames.iter().all(|frame| frame.encoded_len() < 64 * 1024));
    }

    #[tokio::test]
    async fn nothing_is_sent_without_a_stream() {
        let outbox = Outbox::default();
        outbox.put(Item::Pong(Pong { id: 1 }));
        let mut frames = outbox.open();
        outbox.close();
        assert!(frames.next().await.is_none());
    }
}
