using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport;

namespace Gateway.Client.Requests;

/// <summary>Request message: TypeId, RequestHeader, fields. One buffer a thread, because sending uses its content up.
/// Source: Part 4 §7.33.</summary>
internal static class RequestWriter
{
    [ThreadStatic]
    private static PooledBuffer? _message;

    /// <summary>This thread's message buffer, emptied; valid until the next request made on it.</summary>
    public static PooledBuffer RentMessage()
    {
        var message = _message ??= new PooledBuffer(MessageLayout.Headroom, secret: true);
        message.Reset();
        return message;
    }

    /// <summary>Errors: Bad_EncodingLimitsExceeded.</summary>
    public static StatusCode Write<TRequest>(PooledBuffer message, TRequest request, in RequestStamp stamp)
        where TRequest : class, IServiceRequest
    {
        request.RequestHeader = stamp.Apply(request.RequestHeader);
        var writer = new UaBinaryWriter(message);
        writer.WriteTypeId(request.BinaryEncodingId);
        request.Encode(ref writer);
        writer.Complete();
        return writer.Status;
    }
}
