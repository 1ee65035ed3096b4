using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>Encodes and sends every response of the server, on any thread. A response that is larger than the channel
/// or its session allows becomes a ServiceFault Bad_ResponseTooLarge. Thread-safe. Source: Part 4 §5.7.2.2.</summary>
internal sealed class Responder(TimeProvider clock, ServerCounters counters)
{
    public DateTime Now => clock.GetUtcNow().UtcDateTime;

    /// <summary>Uses only the ServiceResult and the StringTable of the structure's own ResponseHeader; a bad result
    /// becomes a fault.</summary>
    /// <param name="channel">The channel of the request.</param>
    /// <param name="requestId">The RequestId of the request.</param>
    /// <param name="handle">The RequestHandle of the request.</param>
    /// <param name="response">The response with its ServiceResult.</param>
    /// <param name="session">Its MaxResponseMessageSize applies as well; null for a service without a session.</param>
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
            StringTable = response.ResponseHeader.StringTable,
        };
        var buffer = ReplyBuffers.Rent();
        var writer = new UaBinaryWriter(buffer);
        try
        {
            writer.WriteTypeId(response.BinaryEncodingId);
            response.Encode(ref writer);
        }
        catch
        {
            ReplyBuffers.Return(buffer);
            throw;
        }

        Finish(channel, requestId, handle, buffer, ref writer, session);
    }

    /// <summary>Sends a response that a handler wrote, and takes the buffer back. False: it was too large, and a fault
    /// was sent instead.</summary>
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
        try
        {
            if (!status.IsBad)
                status = SendBuffer(channel, requestId, buffer);
        }
        finally
        {
            ReplyBuffers.Return(buffer);
        }

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

    /// <summary>The answer has been handed to the channel.</summary>
    public void End(in RequestMark mark, StatusCode status) => mark.End(status, counters, clock);

    private static bool IsAbove(int length, uint limit) => limit > 0 && length > limit;

    /// <summary>Only a response above the size limit gets a fault: any other failure means that the channel is gone.
    /// </summary>
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
