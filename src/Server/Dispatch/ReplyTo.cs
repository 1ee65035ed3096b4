using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>The address of the response to one request. Work that is answered later keeps it. A response leaves with
/// the channel's next flush.</summary>
internal readonly struct ReplyTo(
    Responder responder, SecureChannel channel, uint requestId, uint handle, in RequestMark mark)
{
    private readonly RequestMark _mark = mark;

    public SecureChannel Channel => channel;

    /// <summary>The RequestHandle.</summary>
    public uint Handle => handle;

    /// <summary>On the wall clock.</summary>
    public DateTime Now => responder.Now;

    /// <summary>Starts a response that its handler writes itself, up to the end of the ResponseHeader.</summary>
    /// <param name="encodingId">The encoding id of the response.</param>
    /// <param name="now">The response's Timestamp: <see cref="Now"/>.</param>
    /// <param name="writer">Positioned behind the ResponseHeader.</param>
    /// <returns>The buffer, for <see cref="Finish"/> or <see cref="ReplyBuffers.Return"/>.</returns>
    public PooledBuffer Begin(uint encodingId, DateTime now, out UaBinaryWriter writer)
    {
        var buffer = ReplyBuffers.Rent();
        writer = new UaBinaryWriter(buffer);
        ResponseHeaderBinary.Write(ref writer, encodingId, now, handle, StatusCode.Good);
        return buffer;
    }

    /// <inheritdoc cref="Responder.Finish"/>
    public bool Finish(PooledBuffer buffer, ref UaBinaryWriter writer, Session? session)
    {
        var isSent = responder.Finish(channel, requestId, handle, buffer, ref writer, session);
        responder.End(_mark, isSent ? StatusCode.Good : StatusCodes.BadResponseTooLarge);
        return isSent;
    }

    /// <inheritdoc cref="Responder.Send"/>
    public void Send<T>(T response, Session? session)
        where T : class, IServiceResponse
    {
        responder.Send(channel, requestId, handle, response, session);
        responder.End(_mark, response.ResponseHeader.ServiceResult);
    }

    public void SendFault(StatusCode status, int retryAfterMs = 0)
    {
        responder.SendFault(channel, requestId, handle, status, retryAfterMs);
        responder.End(_mark, status);
    }
}
