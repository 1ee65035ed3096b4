using Gateway.Codec.Types;

namespace Gateway.Client.Requests;

/// <summary>A request whose answer is awaited. The code that takes it out of the <see cref="PendingRequestTable"/> ends
/// it, by exactly one of the three members.</summary>
internal abstract class PendingRequest
{
    public uint RequestId { get; set; }

    /// <summary>A timestamp; <see cref="long.MaxValue"/> for none.</summary>
    public long Deadline { get; set; } = long.MaxValue;

    /// <summary>The answer, TypeId first; valid during the call. On the connection's thread: must not block.</summary>
    public abstract void Complete(ReadOnlySpan<byte> message);

    public abstract void Fail(StatusCode status, string detail);

    /// <summary>By our own caller, who waits no longer.</summary>
    public virtual void Cancel() => Fail(StatusCodes.BadRequestCancelledByClient, "cancelled");
}
