using System.Buffers.Binary;
using System.Net.Sockets;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>An anonymous session without security on a bare socket: chunks leave as the attack wants them, and nothing
/// is read that it does not read itself. Owner: one attacker.</summary>
internal sealed class BareSession : IDisposable
{
    private const int HeaderBytes = 24;
    private const int BodyBytes = 65_000;
    private const string PolicyNone = "http://opcfoundation.org/UA/SecurityPolicy#None";

    private readonly Socket _socket;
    private uint _channelId;
    private uint _tokenId;
    private uint _lastSequence;
    private uint _lastRequest;
    private NodeId _token;

    private BareSession(Socket socket) => _socket = socket;

    /// <summary>Errors: SocketException, InvalidOperationException where the gateway refuses.</summary>
    public static async Task<BareSession> OpenAsync(
        WireTarget target, string url, int address, CancellationToken cancellation)
    {
        var session = await OpenChannelAsync(target, address, cancellation);
        try
        {
            await session.ActivateAsync(url, cancellation);
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    /// <summary>The channel alone. Errors as above.</summary>
    public static async Task<BareSession> OpenChannelAsync(
        WireTarget target, int address, CancellationToken cancellation)
    {
        var session = new BareSession(await target.ConnectAsync(address, cancellation));
        try
        {
            await WireFrame.SendAsync(session._socket, target.Hello, cancellation);
            await WireFrame.ReadAsync(session._socket, cancellation);
            await WireFrame.SendAsync(session._socket, session.OpenMessage(), cancellation);
            session.ReadToken((await WireFrame.ReadAsync(session._socket, cancellation)).Bytes);
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    /// <returns>TypeId and structure, with this session's token.</returns>
    public byte[] Encode(IServiceRequest request)
    {
        request.RequestHeader = new RequestHeader { AuthenticationToken = _token, RequestHandle = 1 };
        using var buffer = new PooledBuffer(limitBytes: 17 * 1024 * 1024);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(request.BinaryEncodingId));
        request.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    /// <param name="message">Of <see cref="Encode"/>.</param>
    /// <param name="isWhole">False: the last chunk never comes.</param>
    /// <param name="cancellation">Ends the sending.</param>
    public async Task SendAsync(ReadOnlyMemory<byte> message, bool isWhole, CancellationToken cancellation)
    {
        var request = ++_lastRequest;
        while (message.Length > 0)
        {
            var body = message[..Math.Min(BodyBytes, message.Length)];
            message = message[body.Length..];
            var isFinal = isWhole && message.Length == 0;
            await WireFrame.SendAsync(_socket, Chunk(request, body.Span, isFinal), cancellation);
        }
    }

    /// <returns>The ServiceResult of the next answer, or why there is none.</returns>
    public async Task<StatusCode> ResultAsync(CancellationToken cancellation)
    {
        var frame = await WireFrame.ReadAsync(_socket, cancellation);
        if (frame.IsEnd || frame.Type != "MSG")
            return StatusCodes.BadConnectionClosed;
        return Header(frame.Bytes).ServiceResult;
    }

    public void Dispose() => WireTarget.Reset(_socket);

    private static ResponseHeader Header(byte[] frame)
    {
        var reader = new UaBinaryReader(frame.AsSpan(HeaderBytes));
        reader.ReadNodeId();
        return ResponseHeader.Decode(ref reader);
    }

    private async Task ActivateAsync(string url, CancellationToken cancellation)
    {
        await SendAsync(
            Encode(new CreateSessionRequest
            {
                EndpointUrl = url,
                SessionName = "attack",
                RequestedSessionTimeout = 10_000,
            }),
            isWhole: true, cancellation);
        var anonymous = ReadSession((await WireFrame.ReadAsync(_socket, cancellation)).Bytes);
        await SendAsync(
            Encode(new ActivateSessionRequest
            {
                UserIdentityToken = new ExtensionObject(new AnonymousIdentityToken { PolicyId = anonymous }),
            }),
            isWhole: true, cancellation);
        var result = await ResultAsync(cancellation);
        if (result.IsBad)
            throw new InvalidOperationException($"the gateway lets no anonymous session in: {result}");
    }

    private byte[] OpenMessage()
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteRaw("OPNF"u8);
        writer.WriteUInt32(0);
        writer.WriteUInt32(0);
        writer.WriteString(PolicyNone);
        writer.WriteByteString((byte[]?)null);
        writer.WriteByteString((byte[]?)null);
        writer.WriteUInt32(++_lastSequence);
        writer.WriteUInt32(++_lastRequest);
        writer.WriteNodeId(new NodeId(OpenSecureChannelRequest.BinaryEncodingId));
        new OpenSecureChannelRequest
        {
            SecurityMode = MessageSecurityMode.None,
            RequestedLifetime = 600_000,
        }.Encode(ref writer);
        writer.Complete();
        var message = buffer.WrittenSpan.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(4), message.Length);
        return message;
    }

    private void ReadToken(byte[] frame)
    {
        var reader = new UaBinaryReader(frame);
        reader.Skip(12);
        reader.ReadString();
        reader.ReadByteString();
        reader.ReadByteString();
        reader.Skip(8);
        reader.ReadNodeId();
        var response = OpenSecureChannelResponse.Decode(ref reader);
        if (reader.Failed)
            throw new InvalidOperationException("the gateway offers no channel without security");
        (_channelId, _tokenId) = (response.SecurityToken.ChannelId, response.SecurityToken.TokenId);
    }

    /// <returns>The anonymous user's policy.</returns>
    private string? ReadSession(byte[] frame)
    {
        var reader = new UaBinaryReader(frame.AsSpan(HeaderBytes));
        reader.ReadNodeId();
        var response = CreateSessionResponse.Decode(ref reader);
        _token = response.AuthenticationToken;
        return response.ServerEndpoints?
            .Where(endpoint => endpoint.SecurityMode == MessageSecurityMode.None)
            .SelectMany(endpoint => endpoint.UserIdentityTokens ?? [])
            .FirstOrDefault(policy => policy.TokenType == UserTokenType.Anonymous)?.PolicyId;
    }

    private byte[] Chunk(uint request, ReadOnlySpan<byte> body, bool isFinal)
    {
        var chunk = new byte[HeaderBytes + body.Length];
        (isFinal ? "MSGF"u8 : "MSGC"u8).CopyTo(chunk);
        uint[] fields = [(uint)chunk.Length, _channelId, _tokenId, ++_lastSequence, request];
        for (var i = 0; i < fields.Length; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(chunk.AsSpan(4 + (4 * i)), fields[i]);
        body.CopyTo(chunk.AsSpan(HeaderBytes));
        return chunk;
    }
}
