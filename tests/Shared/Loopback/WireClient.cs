using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Testing.Loopback;

/// <summary>A client on one thread without a task: what it allocates is that thread's, so that the rest is the
/// server's. <see cref="Exchange"/> allocates nothing. It trusts what it gets: it measures, it does not verify.
/// </summary>
internal sealed class WireClient(IWire wire, ApplicationCertificate own, ApplicationCertificate server) : IDisposable
{
    public const string ApplicationUri = "urn:loopback:client";

    private const string Url = "opc.tcp://127.0.0.1:4840";
    private const int ChunkBytes = 64 * 1024;

    private readonly WireFrames _frames = new(wire);
    private readonly PooledBuffer _message = new(MessageLayout.Headroom);
    private readonly byte[] _chunk = new byte[ChunkBytes];
    private SecurityPolicy _policy = SecurityPolicies.None;
    private ChunkProtection _outgoing = new NoProtection();
    private ChunkProtection _incoming = new NoProtection();
    private byte[] _serverNonce = [];
    private uint _channelId;
    private uint _tokenId;
    private uint _sequence;
    private uint _requests;

    public NodeId Token { get; private set; }

    private bool IsSecured => !_policy.IsNone;

    /// <summary>HEL alone.</summary>
    public void Greet()
    {
        wire.Send(Hello());
        _frames.Receive();
    }

    /// <summary>HEL and OPN.</summary>
    public void Open(SecurityPolicy policy, MessageSecurityMode mode)
    {
        _policy = policy;
        Greet();
        var nonce = RandomNumberGenerator.GetBytes(policy.SecureChannelNonceLength);
        wire.Send(Sealer().Seal(0, ++_sequence, ++_requests, Encoded(new OpenSecureChannelRequest
        {
            RequestType = SecurityTokenRequestType.Issue,
            SecurityMode = mode,
            ClientNonce = nonce,
            RequestedLifetime = 3_600_000,
        })));
        var chunk = _frames.Receive().ToArray();
        var header = AsymmetricHeader.Read(chunk, new TransportLimits());
        var opened = AsymmetricUnsealer.Unseal(
            policy, chunk, header.End, IsSecured ? own.PrivateKey : null, IsSecured ? server.PrivateKey : null);
        var response = Decoded<OpenSecureChannelResponse>(opened.Body.Span);
        (_channelId, _tokenId) = (response.SecurityToken.ChannelId, response.SecurityToken.TokenId);
        (_outgoing, _incoming) = TokenKeys.Derive(policy, mode, nonce, response.ServerNonce ?? []);
    }

    public void CreateSession()
    {
        var response = Call<CreateSessionRequest, CreateSessionResponse>(new CreateSessionRequest
        {
            ClientDescription = new ApplicationDescription
            {
                ApplicationUri = ApplicationUri,
                ApplicationType = ApplicationType.Client,
            },
            EndpointUrl = Url,
            SessionName = "loopback",
            ClientNonce = RandomNumberGenerator.GetBytes(32),
            ClientCertificate = IsSecured ? own.Der : null,
            RequestedSessionTimeout = 3_600_000,
        });
        Token = response.AuthenticationToken;
        _serverNonce = response.ServerNonce ?? [];
    }

    /// <summary>As the anonymous user.</summary>
    public void Activate()
    {
        var signature = !IsSecured ? default : new SignatureData
        {
            Algorithm = _policy.SignatureAlgorithmUri,
            Signature = _policy.SignAsymmetric(own.PrivateKey, [.. server.Der, .. _serverNonce]),
        };
        _serverNonce = Call<ActivateSessionRequest, ActivateSessionResponse>(new ActivateSessionRequest
        {
            ClientSignature = signature,
            UserIdentityToken = new ExtensionObject(new AnonymousIdentityToken { PolicyId = "anonymous" }),
        }).ServerNonce ?? [];
    }

    public void CloseSession() =>
        Call<CloseSessionRequest, CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });

    public EndpointDescription[] GetEndpoints() => Call<GetEndpointsRequest, GetEndpointsResponse>(
        new GetEndpointsRequest { EndpointUrl = Url }).Endpoints ?? [];

    /// <summary>Errors: InvalidOperationException with the StatusCode of a fault.</summary>
    public TResponse Call<TRequest, TResponse>(TRequest request)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse> => Decoded<TResponse>(Exchange(Encode(request)));

    /// <summary>TypeId and request, with this session's token.</summary>
    public byte[] Encode(IServiceRequest request)
    {
        request.RequestHeader = new RequestHeader { AuthenticationToken = Token, TimeoutHint = 60_000 };
        return Encoded(request);
    }

    /// <returns>TypeId and response; valid until the next call.</returns>
    public ReadOnlySpan<byte> Exchange(ReadOnlySpan<byte> message)
    {
        Send(message);
        return Receive();
    }

    public void Send(ReadOnlySpan<byte> message) => SendKind(message, MessageKind.Message);

    /// <returns>TypeId and response; valid until the next call.</returns>
    public ReadOnlySpan<byte> Receive()
    {
        _message.Reset();
        while (true)
        {
            var chunk = _frames.Receive();
            var kind = (ChunkType)chunk[3];
            if (chunk[0] == (byte)'E' || kind == ChunkType.Abort || !_incoming.TryUnseal(chunk, out var end))
                throw new InvalidOperationException("The server has ended the conversation.");
            if (kind == ChunkType.Final && _message.Length == 0)
                return chunk[MessageLayout.Headroom..end];
            _message.Write(chunk[MessageLayout.Headroom..end]);
            if (kind == ChunkType.Final)
                return _message.WrittenSpan;
        }
    }

    /// <summary>CLO, and the end of the connection.</summary>
    public void Dispose()
    {
        if (_channelId != 0)
            SendKind(Encoded(new CloseSecureChannelRequest()), MessageKind.CloseSecureChannel);
        wire.Dispose();
        _outgoing.Dispose();
        _incoming.Dispose();
        _message.Dispose();
    }

    public static T Decoded<T>(ReadOnlySpan<byte> message)
        where T : IStructure<T>
    {
        var reader = new UaBinaryReader(message);
        if (reader.ReadNodeId().Numeric == 397)
            throw new InvalidOperationException("Fault " + ResponseHeader.Decode(ref reader).ServiceResult);
        var response = T.Decode(ref reader);
        return reader.Failed ? throw new InvalidOperationException(reader.Status.ToString()) : response;
    }

    private static byte[] Encoded(IStructure message)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(message.BinaryEncodingId));
        message.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    private static byte[] Hello()
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt64(0);
        new HelloMessage(new TransportSizes(ChunkBytes, ChunkBytes, 0, 0), Url).Write(ref writer);
        writer.Complete();
        var hello = buffer.WrittenSpan.ToArray();
        FrameWriter.WriteHeader(hello, MessageKind.Hello, ChunkType.Final, hello.Length);
        return hello;
    }

    private AsymmetricSealer Sealer() => !IsSecured ? new AsymmetricSealer { Policy = _policy } : new AsymmetricSealer
    {
        Policy = _policy,
        SenderCertificate = own.ChainBlob,
        ReceiverThumbprint = server.ThumbprintBytes.ToArray(),
        PrivateKey = own.PrivateKey,
        PeerKey = server.PrivateKey,
    };

    private void SendKind(ReadOnlySpan<byte> message, MessageKind kind)
    {
        var most = _outgoing.MaxBodyBytes(_chunk.Length);
        _requests++;
        do
        {
            var part = message[..Math.Min(most, message.Length)];
            message = message[part.Length..];
            SendChunk(part, kind, message.Length == 0 ? ChunkType.Final : ChunkType.Intermediate);
        }
        while (message.Length > 0);
    }

    private void SendChunk(ReadOnlySpan<byte> body, MessageKind kind, ChunkType type)
    {
        FrameWriter.WriteHeader(_chunk, kind, type, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(_chunk.AsSpan(8), _channelId);
        BinaryPrimitives.WriteUInt32LittleEndian(_chunk.AsSpan(12), _tokenId);
        BinaryPrimitives.WriteUInt32LittleEndian(_chunk.AsSpan(16), ++_sequence);
        BinaryPrimitives.WriteUInt32LittleEndian(_chunk.AsSpan(20), _requests);
        body.CopyTo(_chunk.AsSpan(MessageLayout.Headroom));
        wire.Send(_chunk.AsSpan(0, _outgoing.Seal(_chunk, MessageLayout.Headroom + body.Length)));
    }
}
