using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Server.Messages;

/// <summary>The response to one message, in UA Binary. Its bytes are a copy, because the sender reuses its buffer.
/// Owner: the caller, which disposes it.</summary>
public sealed class MessageAnswer : IDisposable
{
    /// <summary>Responses are set under the locks of shards, so continuations run elsewhere.</summary>
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private PooledBuffer? _message;

    internal MessageAnswer()
    {
    }

    /// <summary>Bad without a message: the session has ended or moved to another channel, or there was no memory.
    /// </summary>
    public StatusCode Status { get; private set; }

    /// <summary>TypeId and response or ServiceFault.</summary>
    public ReadOnlySpan<byte> Message => _message is null ? default : _message.WrittenSpan;

    /// <summary>The capacity rented for it.</summary>
    public int HeldBytes => _message?.CapacityBytes ?? 0;

    internal Task Done => _done.Task;

    public void Dispose()
    {
        _message?.Dispose();
        _message = null;
    }

    /// <summary>Called once, by the thread that has removed it from the waiting calls.</summary>
    internal void Take(ReadOnlySpan<byte> message)
    {
        var array = ByteArrays.Rent(message.Length);
        message.CopyTo(array);
        _message = new PooledBuffer(array, message.Length, secret: true);
        _done.TrySetResult();
    }

    /// <summary>Instead of <see cref="Take"/>.</summary>
    internal void Fail(StatusCode status)
    {
        Status = status;
        _done.TrySetResult();
    }
}
