using Gateway.Codec.Types;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.BadInput;

/// <summary>
/// Broken frames and messages at the running gateway's socket: ERR with the right code, the connection closed, the
/// reason in the log; and a good client beside it notices nothing.
/// </summary>
public sealed class BadInputTests(BadInputFixture fixture) : IClassFixture<BadInputFixture>
{
    private static readonly string Url = "opc.tcp://127.0.0.1:4840";

    [PeerFact]
    public Task Frame_UnknownType_Err() =>
        AssertErrAsync(Uacp.Frame("XYZF", new byte[16]), StatusCodes.BadTcpMessageTypeInvalid, "MessageTypeInvalid");

    [PeerFact]
    public Task Frame_UnknownChunkType_Err() =>
        AssertErrAsync(Uacp.Frame("HELX", new byte[24]), StatusCodes.BadTcpMessageTypeInvalid, "MessageTypeInvalid");

    [PeerFact]
    public Task Frame_DeclaredHuge_ErrWithoutWaitingForIt() => AssertErrAsync(
        Uacp.Frame("HELF", new byte[16], size: 0x7FFF_FFFF), StatusCodes.BadTcpMessageTooLarge, "MessageTooLarge");

    [PeerFact]
    public async Task Frame_ShorterThanItsHeader_Err()
    {
        uint code = await ErrAsync(Uacp.Frame("HELF", [], size: 4));

        Assert.Contains(code, new[]
        {
            StatusCodes.BadTcpMessageTypeInvalid, StatusCodes.BadTcpMessageTooLarge,
            StatusCodes.BadDecodingError,
        });
    }

    [PeerFact]
    public Task Hello_EndpointUrlTooLong_Err() => AssertErrAsync(
        Uacp.Hello("opc.tcp://" + new string('x', 4097)), StatusCodes.BadTcpEndpointUrlInvalid, "EndpointUrlInvalid");

    [PeerFact]
    public Task Hello_CutInside_Err() =>
        AssertErrAsync(Uacp.Frame("HELF", new byte[12]), StatusCodes.BadDecodingError, "Malformed");

    [PeerFact]
    public Task Open_BeforeHello_Err() =>
        AssertErrAsync(Uacp.Open(), StatusCodes.BadTcpMessageTypeInvalid, "MessageTypeInvalid");

    [PeerFact]
    public Task Hello_Twice_Err() => AssertErrAsync(
        [.. Uacp.Hello(Url), .. Uacp.Hello(Url)], StatusCodes.BadTcpMessageTypeInvalid, "MessageTypeInvalid");

    [PeerFact]
    public Task Open_UnknownPolicy_Err() => AssertErrAsync(
        [.. Uacp.Hello(Url), .. Uacp.Open("http://opcfoundation.org/UA/SecurityPolicy#Basic128Rsa15")],
        StatusCodes.BadSecurityPolicyRejected, "SecurityPolicyRejected");

    [PeerFact]
    public Task Open_BodyOfNoise_Err() => AssertErrAsync(
        [.. Uacp.Hello(Url), .. Uacp.OpenOfNoise()],
        StatusCodes.BadDecodingError, "Malformed");

    [PeerFact]
    public Task Message_BeforeOpen_Err() => AssertErrAsync(
        [.. Uacp.Hello(Url), .. Uacp.Message(1, 1, 1, Uacp.GetEndpoints(Url))],
        StatusCodes.BadTcpSecureChannelUnknown, "SecureChannelUnknown");

    [PeerFact]
    public Task Message_ChannelOfAnother_Err() => AssertErrAfterOpenAsync(
        (channel, token) => Uacp.Message(channel + 1, token, 2, Uacp.GetEndpoints(Url)),
        StatusCodes.BadTcpSecureChannelUnknown, "SecureChannelUnknown");

    [PeerFact]
    public Task Message_TokenOfAnother_Err() => AssertErrAfterOpenAsync(
        (channel, token) => Uacp.Message(channel, token + 7, 2, Uacp.GetEndpoints(Url)),
        StatusCodes.BadSecureChannelTokenUnknown, "SecureChannelUnknown");

    [PeerFact]
    public Task Message_SequenceNumberLeftOut_Err() => AssertErrAfterOpenAsync(
        (channel, token) => Uacp.Message(channel, token, 9, Uacp.GetEndpoints(Url)),
        StatusCodes.BadSequenceNumberInvalid, "SequenceNumberInvalid");

    [PeerFact]
    public Task Message_BeforeASessionTooLarge_Err() => AssertErrAfterOpenAsync(
        (channel, token) =>
        [
            .. Uacp.Message(channel, token, 2, new byte[60_000], "MSGC"),
            .. Uacp.Message(channel, token, 3, new byte[60_000], "MSGC"),
        ],
        StatusCodes.BadTcpMessageTooLarge, "MessageTooLarge");

    [PeerFact]
    public async Task Message_UnknownServiceOrBrokenBody_FaultAndTheChannelStays()
    {
        using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port);
        (uint channel, uint token) = await peer.OpenAsync(fixture.Gateway.EndpointUrl);

        await peer.SendAsync(Uacp.Message(channel, token, 2, [1, 0, 0xFF, 0x7F]));
        Assert.Equal("MSGF", RawPeer.Type(await peer.ReceiveAsync()));
        await peer.SendAsync(Uacp.Message(channel, token, 3, Uacp.GetEndpoints(Url)[..20]));
        byte[]? afterBroken = await peer.ReceiveAsync();
        Assert.Contains(RawPeer.Type(afterBroken), new[] { "MSGF", "ERRF" });
        if (RawPeer.Type(afterBroken) == "ERRF")
            return;
        await peer.SendAsync(Uacp.Message(channel, token, 4, Uacp.GetEndpoints(Url)));
        Assert.StartsWith("MSG", RawPeer.Type(await peer.ReceiveAsync()));
    }

    [PeerFact]
    public async Task Conversation_CutAtEveryByte_OthersNoticeNothing()
    {
        byte[] hello = Uacp.Hello(Url);
        byte[] bytes = [.. hello, .. Uacp.Open()];
        for (int length = 0; length < bytes.Length; length++)
        {
            using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port);
            await peer.SendAsync(bytes[..length]);
            peer.FinishSending();
            byte[]? answer = await peer.ReceiveAsync();
            Assert.True(RawPeer.Type(answer) is null or "ERRF" || length >= hello.Length, $"cut at {length}");
        }

        await fixture.AssertGoodClientAsync();
    }

    [PeerFact]
    public async Task Conversation_EveryByteFlipped_OthersNoticeNothing()
    {
        byte[] good = [.. Uacp.Hello(Url), .. Uacp.Open()];
        for (int position = 0; position < good.Length; position++)
        {
            byte[] bytes = [.. good];
            bytes[position] ^= 0xFF;
            using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port);
            await peer.SendAsync(bytes);
            peer.FinishSending();
            while (await peer.ReceiveAsync() is not null)
            {
                // Whatever it answers: it must end.
            }
        }

        await fixture.AssertGoodClientAsync();
    }

    private Task AssertErrAsync(byte[] bytes, uint expected, string reason) =>
        AssertErrAfterOpenAsync(null, (_, _) => bytes, expected, reason);

    private Task AssertErrAfterOpenAsync(Func<uint, uint, byte[]> message, uint expected, string reason) =>
        AssertErrAfterOpenAsync(fixture.Gateway.EndpointUrl, message, expected, reason);

    private async Task AssertErrAfterOpenAsync(
        string? openUrl, Func<uint, uint, byte[]> message, uint expected, string reason)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port);
        (uint channel, uint token) = openUrl is null ? (0u, 0u) : await peer.OpenAsync(openUrl);
        await peer.SendAsync(message(channel, token));

        Assert.Equal(new StatusCode(expected), new StatusCode(await ErrOrEndAsync(peer)));
        Assert.Null(await peer.ReceiveAsync());
        await fixture.Gateway.WaitForLogAsync(": " + reason);
    }

    private async Task<uint> ErrAsync(byte[] bytes)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port);
        await peer.SendAsync(bytes);
        return await ErrOrEndAsync(peer);
    }

    /// <summary>The code of the first ERR, past the ACK of a good HEL.</summary>
    private static async Task<uint> ErrOrEndAsync(RawPeer peer)
    {
        byte[]? frame = await peer.ReceiveAsync();
        if (RawPeer.Type(frame) == "ACKF")
            frame = await peer.ReceiveAsync();
        Assert.Equal("ERRF", RawPeer.Type(frame));
        return RawPeer.ErrorOf(frame!);
    }
}
