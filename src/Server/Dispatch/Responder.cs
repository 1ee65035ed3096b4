using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>Encodes and sends responses; every response of the server leaves through here, on whatever thread made it.
/// What is larger than the channel or its session takes becomes a ServiceFault Bad_ResponseTooLarge. Thread-safe.
/// Source: Part 4 §5.7.2.2.</summary>
internal sealed class Responder(TimeProvider clock, ServerCounters counters)
{
    public DateTime Now => clock.GetUtcNow().UtcDateTime;

    /// <summary>The structure's own ResponseHeader gives only the ServiceResult; a bad one becomes a fault.</summary>
    /// <param name="channel">Where it goes.</param>
    /// <param name="requestId">Of the request.</param>
    /// <param name="handle">Of the request.</param>
    /// <param name="response">With its own result.</param>
    /// <param name="session">Whose MaxResponseMessageSize holds as well; null for a service without a session.</param>
    public void Send<T>(SecureChannel channel, uint requestId, uint handle, T response, Session? session)
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
        writer.WriteTypeId(response.BinaryEncodingId);
        response.Encode(ref writer);
        Finish(channel, requestId, handle, buffer, ref writer, session);
    }

    /// <summary>Sends what a handler wrote and takes the buffer back. False: it was too large, a fault went instead.
    /// </summary>
    public bool Finish(
        SecureChannel channel, uint requestId, uint handle, PooledBuffer buffer, ref UaBinaryWriter writer,
        Session? session)
    {
        StatusCode status = writer.Failed ? StatusCodes.BadResponseTooLarge : StatusCodes.Good;
        if (!status.IsBad)
            writer.Complete();
        if (!status.IsBad && (IsAbove(buffer.Length, (uint)channel.MaxResponseSizeBytes) ||
            IsAbove(buffer.Length, session?.MaxResponseMessageSize ?? 0)))
            status = StatusCodes.BadResponseTooLarge;
        if (!status.IsBad)
            status = SendBuffer(channel, requestId, buffer);
        ReplyBuffers.Return(buffer);
        if (status.IsBad)
            SendFault(channel, requestId, handle, status);
        return !status.IsBad;
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

    private static bool IsAbove(int length, uint limit) => limit > 0 && length > limit;

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
