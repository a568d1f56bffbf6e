"""moto's server with one mistake mended, on the port that is its only argument.

moto 5 gives a group of a FIFO queue back in the wrong order when several of its messages were received together and their
time-outs have ended: it looks at them one after the other, finds the first still blocked by the second, and gives out the
second. SQS never gives out a message before an older one of its group. Here nothing blocks its group that is visible again.
"""

import sys

from moto import server
from moto.sqs.models import SQSBackend

receive = SQSBackend.receive_message


def receive_in_order(self, queue_name, *args, **kwargs):
    queue = self.get_queue(queue_name)
    for message in [m for m in queue.pending_messages if m.visible]:
        queue.pending_messages.remove(message)
    return receive(self, queue_name, *args, **kwargs)


SQSBackend.receive_message = receive_in_order
server.main(["-H", "127.0.0.1", "-p", sys.argv[1]])
