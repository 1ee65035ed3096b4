using System.Buffers;
using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Tests.Support;

/// <summary>A peer that sends what a test wants, right or wrong, and reads whole frames.</summary>
internal sealed class RawClient(ConnectionContext connection, Task ended)
{
    public RawClient(TestServer server, int pauseAtBytes = 65536, IPAddress? from = null)
        : this(server.Connect(pauseAtBytes, from))
    {
    }

    private RawClient((PipeConnectionContext Client, Task Ended) made)
        : this(made.Client, made.Ended)
    {
    }

    public uint ChannelId { get; private set; }

    public uint TokenId { get; private set; }

    public uint Sequence { get; set; }

    public Task Ended => ended;

    public ConnectionContext Connection => connection;

    public static async Task<RawClient> OpenNoneAsync(TestServer server, uint lifetimeMs = 3_600_000)
    {
        var client = new RawClient(server);
        await client.HelloAndOpenNoneAsync(lifetimeMs);
        return client;
    }

    public async Task HelloAndOpenNoneAsync(uint lifetimeMs = 3_600_000)
    {
        await SendAsync(Wire.Hello());
        await ReadFrameAsync();
        await OpenNoneAsync(SecurityTokenRequestType.Issue, lifetimeMs);
    }

    public async Task OpenNoneAsync(SecurityTokenRequestType type, uint lifetimeMs = 3_600_000)
    {
        await SendAsync(Wire.OpenNone(ChannelId, ++Sequence, type, lifetimeMs));
        var response = ParseOpen(await ReadFrameAsync(), AsymmetricOpenerNone);
        ChannelId = response.SecurityToken.ChannelId;
        TokenId = response.SecurityToken.TokenId;
    }

    public async Task<OpenSecureChannelResponse> OpenSecuredAsync(
        SecurityPolicy policy, MessageSecurityMode mode, SecurityTokenRequestType type, byte[] nonce,
        ApplicationCertificate? certificate = null, uint lifetimeMs = 3_600_000)
    {
        var own = certificate ?? TestCertificates.Client;
        var body = Wire.OpenBody(type, mode, nonce, lifetimeMs);
        var sealer = Wire.Sealer(policy, own, TestCertificates.Server);
        await SendAsync(sealer.Seal(ChannelId, ++Sequence, Sequence, body));
        var frame = await ReadFrameAsync();
        var response = ParseOpen(frame, (chunk, end) =>
            AsymmetricUnsealer.Unseal(policy, chunk, end, own.PrivateKey, TestCertificates.Server.PrivateKey).Body);
        ChannelId = response.SecurityToken.ChannelId;
        TokenId = response.SecurityToken.TokenId;
        return response;
    }

    public ValueTask SendMessageAsync(
        ReadOnlyMemory<byte> body, ChunkType chunk = ChunkType.Final, uint? tokenId = null, uint requestId = 5,
        uint? sequence = null, uint? channelId = null, MessageKind kind = MessageKind.Message) =>
        SendAsync(Wire.MessageNone(
            channelId ?? ChannelId, tokenId ?? TokenId, sequence ?? ++Sequence, requestId, body.Span, chunk, kind));

    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes) =>
        await connection.Transport.Output.WriteAsync(bytes);

    public async Task<byte[]> ReadFrameAsync()
    {
        var input = connection.Transport.Input;
        while (true)
        {
            var result = await input.ReadAsync().AsTask().WaitAsync(Patience.Limit);
            if (FrameReader.TryReadHeader(result.Buffer, out var header) && result.Buffer.Length >= header.SizeBytes)
            {
                var frame = result.Buffer.Slice(0, header.SizeBytes).ToArray();
                input.AdvanceTo(result.Buffer.GetPosition(header.SizeBytes));
                return frame;
            }

            input.AdvanceTo(result.Buffer.Start, result.Buffer.End);
            if (result.IsCompleted)
                throw new EndOfStreamException();
        }
    }

    /// <summary>Reads on until ERR; then the connection must end.</summary>
    public async Task<StatusCode> ReadErrorAsync()
    {
        while (true)
        {
            var frame = await ReadFrameAsync();
            if (frame[0] != 'E')
                continue;
            var reader = new UaBinaryReader(frame.AsSpan(8));
            var error = ErrorMessage.Read(ref reader);
            LastReason = error.Reason;
            await Connection.DisposeAsync();
            await Ended.WaitAsync(Patience.Limit);
            return error.Error;
        }
    }

    public string? LastReason { get; private set; }

    private static ReadOnlyMemory<byte> AsymmetricOpenerNone(byte[] chunk, int headerEnd) =>
        AsymmetricUnsealer.Unseal(SecurityPolicies.None, chunk, headerEnd, null, null).Body;

    private static OpenSecureChannelResponse ParseOpen(byte[] frame, Func<byte[], int, ReadOnlyMemory<byte>> open)
    {
        Assert.Equal((byte)'O', frame[0]);
        var header = AsymmetricHeader.Read(frame, new Gateway.Transport.Hosting.TransportLimits());
        var reader = new UaBinaryReader(open(frame, header.End).Span);
        Assert.Equal(new NodeId(OpenSecureChannelResponse.BinaryEncodingId), reader.ReadNodeId());
        return OpenSecureChannelResponse.Decode(ref reader);
    }
}
