using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>Encodes and sends responses; every response of the server leaves through here, on whatever thread made it.
/// What is larger than the peer takes becomes a ServiceFault Bad_ResponseTooLarge. Thread-safe.</summary>
internal sealed class Responder(TimeProvider clock, ServerCounters counters)
{
    public DateTime Now => clock.GetUtcNow().UtcDateTime;

    /// <summary>The structure's own ResponseHeader gives only the ServiceResult; a bad one becomes a fault.</summary>
    public void Send<T>(SecureChannel channel, uint requestId, uint handle, T response)
        where T : class, IServiceResponse
    {
        var result = response.ResponseHeader.ServiceResult;
        if (result.IsBad)
        {
            SendFault(channel, requestId, handle, result);
            return;
        }

        response.ResponseHeader = new ResponseHeader
        {
            Timestamp = Now,
            RequestHandle = handle,
            ServiceResult = result,
        };
        var buffer = ReplyBuffers.Rent();
        var writer = new UaBinaryWriter(buffer);
        ResponseHead.WriteTypeId(ref writer, response.BinaryEncodingId);
        response.Encode(ref writer);
        Finish(channel, requestId, handle, buffer, ref writer);
    }

    /// <summary>Sends what a handler wrote and takes the buffer back.</summary>
    public void Finish(
        SecureChannel channel, uint requestId, uint handle, PooledBuffer buffer, ref UaBinaryWriter writer)
    {
        StatusCode status = writer.Failed ? StatusCodes.BadResponseTooLarge : StatusCodes.Good;
        if (!status.IsBad)
            writer.Complete();
        if (!status.IsBad && channel.MaxResponseSizeBytes > 0 && buffer.Length > channel.MaxResponseSizeBytes)
            status = StatusCodes.BadResponseTooLarge;
        if (!status.IsBad)
            status = SendBuffer(channel, requestId, buffer);
        ReplyBuffers.Return(buffer);
        if (status.IsBad)
            SendFault(channel, requestId, handle, status);
    }

    public void SendFault(
        SecureChannel channel, uint requestId, uint handle, StatusCode status, int retryAfterMs = 0)
    {
        counters.CountFault(status);
        var buffer = ReplyBuffers.Rent();
        var writer = new UaBinaryWriter(buffer);
        ResponseHead.WriteFault(ref writer, Now, handle, status, retryAfterMs);
        writer.Complete();
        if (channel.IsOpen)
            channel.Send(buffer, requestId);
        ReplyBuffers.Return(buffer);
    }

    /// <summary>Only a size refusal is worth a fault: everything else means that the channel is gone.</summary>
    private static StatusCode SendBuffer(SecureChannel channel, uint requestId, PooledBuffer buffer)
    {
        if (!channel.IsOpen)
            return StatusCode.Good;
        var status = channel.Send(buffer, requestId);
        return status.CodeBits is StatusCodes.BadResponseTooLarge or StatusCodes.BadEncodingLimitsExceeded
            ? StatusCodes.BadResponseTooLarge
            : StatusCode.Good;
    }
}
