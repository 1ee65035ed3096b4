using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Server.Messages;

/// <summary>The answer to one message, in UA Binary. Its bytes are a copy: the sender's buffer is used again at once.
/// Owner: who called, who disposes it.</summary>
public sealed class MessageAnswer : IDisposable
{
    /// <summary>Answers are given under the locks of shards: who waits goes on elsewhere.</summary>
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private PooledBuffer? _message;

    internal MessageAnswer()
    {
    }

    /// <summary>Bad where there is no message: the session has ended or gone elsewhere.</summary>
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

    /// <summary>Once, by whoever has taken it out of those that wait.</summary>
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
