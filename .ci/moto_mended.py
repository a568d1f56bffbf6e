"""moto's server with some mistakes mended, on the port that is its only argument.

SQS. moto 5 gives a group of a FIFO queue back in the wrong order when several of its messages were received together and their
time-outs have ended: it looks at them one after the other, finds the first still blocked by the second, and gives out the
second. SQS never gives out a message before an older one of its group. Here nothing blocks its group that is visible again.

KMS. Of a text that another key than the one named has encrypted, or none, moto 5 says that access is denied; AWS's reference of
Decrypt has IncorrectKeyException and InvalidCiphertextException. And it strings an encryption context together so that a=bc
and ab=c are one. Here the reference counts, and each text stands behind its length.
"""

import sys

from moto import server
from moto.core.exceptions import JsonRESTError
from moto.kms import utils
from moto.kms.exceptions import AccessDeniedException, InvalidCiphertextException
from moto.kms.models import KmsBackend
from moto.sqs.models import SQSBackend

receive = SQSBackend.receive_message
decrypt = KmsBackend.decrypt


def receive_in_order(self, queue_name, *args, **kwargs):
    queue = self.get_queue(queue_name)
    for message in [m for m in queue.pending_messages if m.visible]:
        queue.pending_messages.remove(message)
    return receive(self, queue_name, *args, **kwargs)


def decrypt_by_the_reference(self, ciphertext_blob, encryption_context, key_id=None):
    try:
        return decrypt(self, ciphertext_blob, encryption_context, key_id)
    except AccessDeniedException:
        if ciphertext_blob[:36].decode("ascii", "replace") in self.keys:
            raise JsonRESTError("IncorrectKeyException", "The key ID in the request does not identify a CMK that can perform this operation.")
        raise InvalidCiphertextException()


def serialize(encryption_context):
    return repr(sorted(encryption_context.items())).encode("utf-8")


SQSBackend.receive_message = receive_in_order
KmsBackend.decrypt = decrypt_by_the_reference
utils._serialize_encryption_context = serialize
server.main(["-H", "127.0.0.1", "-p", sys.argv[1]])
