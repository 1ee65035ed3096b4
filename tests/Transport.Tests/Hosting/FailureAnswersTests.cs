using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Hosting;

/// <summary>R13: which check failed does not show in the time of the answer.</summary>
public sealed class FailureAnswersTests
{
    private static readonly TransportLimits Limits = new();

    public static TheoryData<string> Kinds =>
        ["untrusted", "wrong signature", "bad padding", "other server certificate", "no certificate", "wrong blocks"];

    [Theory]
    [InlineData(0)]
    [InlineData(0.1)]
    [InlineData(3)]
    [InlineData(9.9)]
    public void Hold_WorkOfAnyLengthBelowAStep_LeavesAtTheSameMoment(double workMs)
    {
        var time = new ManualTimeProvider();
        using var failures = new FailureAnswers(time, Limits, TestTransport.MakeCounters());
        time.Advance(1234.5);
        var since = failures.Begin();
        time.Advance(workMs);
        var answered = 0;
        failures.Hold(since, () => answered++);

        time.Advance(9.99 - workMs);
        Assert.Equal(0, answered);
        time.Advance(1);
        Assert.Equal(1, answered);
        Assert.Equal(0, failures.Held);
    }

    [Fact]
    public void Hold_WorkThatTookLonger_LeavesAfterTheNextWholeStep()
    {
        var time = new ManualTimeProvider();
        using var failures = new FailureAnswers(time, Limits, TestTransport.MakeCounters());
        var since = failures.Begin();
        time.Advance(35);
        var answered = 0;
        failures.Hold(since, () => answered++);

        time.Advance(4.9);
        Assert.Equal(0, answered);
        time.Advance(1.2);
        Assert.Equal(1, answered);
    }

    [Fact]
    public async Task Hold_TimersThatComeTooEarly_NoAnswerLeavesBeforeItsStep()
    {
        var time = TimeProvider.System;
        using var failures = new FailureAnswers(time, Limits, TestTransport.MakeCounters());
        for (var i = 0; i < 20; i++)
        {
            var since = failures.Begin();
            await failures.WaitAsync(since).AsTask().WaitAsync(Patience.Limit);

            Assert.True(time.GetElapsedTime(since) >= Limits.FailureAnswerStep);
        }
    }

    [Fact]
    public void Hold_MoreThanTheLimit_TheRestAtOnceAndCounted()
    {
        var time = new ManualTimeProvider();
        using var counters = TestTransport.MakeCounters();
        using var failures = new FailureAnswers(time, new TransportLimits { MaxHeldFailures = 2 }, counters);
        var answered = 0;
        for (var i = 0; i < 5; i++)
            failures.Hold(failures.Begin(), () => answered++);

        Assert.Equal(3, answered);
        Assert.Equal(3, counters.FailuresNotHeld);
        time.Advance(11);
        Assert.Equal(5, answered);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task OPN_RefusedForAnyReason_AnsweredAtTheSameMoment(string kind)
    {
        using var server = new TestServer(new TransportLimits { PrivateKeyWorkers = 0 });
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.SendAsync(Opening(server, kind));
        server.Context.PrivateKeys.Pump();
        var answer = client.ReadErrorAsync();

        server.Time.Advance(9.9);
        Assert.Equal(1, server.Context.Failures.Held);
        Assert.False(answer.IsCompleted);
        server.Time.Advance(1.1);
        Assert.Equal(Codec.Types.StatusCodes.BadSecurityChecksFailed, (await answer).Code);
        Assert.Equal("Security checks failed", client.LastReason);
    }

    private static byte[] Opening(TestServer server, string kind)
    {
        var own = TestCertificates.Client;
        if (kind == "untrusted")
            server.Validator.Refused = own.Der;
        var sealer = new AsymmetricSealer
        {
            Policy = SecurityPolicies.Basic256Sha256,
            SenderCertificate = kind == "no certificate" ? [] : own.ChainBlob,
            ReceiverThumbprint = kind == "other server certificate"
                ? new byte[20]
                : TestCertificates.Server.ThumbprintBytes.ToArray(),
            PrivateKey = (kind == "wrong signature" ? TestCertificates.Get("liar") : own).PrivateKey,
            PeerKey = TestCertificates.Server.PrivateKey,
        };
        var body = Wire.OpenBody(
            Codec.Structures.SecurityTokenRequestType.Issue, Codec.Structures.MessageSecurityMode.Sign, Wire.Nonce(),
            3_600_000);
        var chunk = sealer.Seal(0, 1, 1, body);
        if (kind == "bad padding")
            chunk[^1] ^= 1;
        if (kind == "wrong blocks")
        {
            chunk = chunk[..^1];
            FrameWriter.WriteHeader(chunk, MessageKind.OpenSecureChannel, ChunkType.Final, chunk.Length);
        }

        return chunk;
    }
}
