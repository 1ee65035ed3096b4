using System.Runtime.CompilerServices;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

/// <summary>Every refusal for reasons of admission: what the client is told, and that the stage counts it.</summary>
public sealed class RefusalTests : IDisposable
{
    private readonly List<ServerFixture> _fixtures = [];

    public void Dispose() => _fixtures.ForEach(fixture => fixture.Dispose());

    [Fact]
    public async Task CreateSession_AllActive_BadTooManySessionsWithHint()
    {
        var fixture = Limited(limits => limits with { MaxSessions = 1 });
        await fixture.ConnectAsync();
        var late = fixture.Connect(address: "127.0.0.9");
        await AssertRefusedAsync(
            fixture, late, late.NewSession(), StatusCodes.BadTooManySessions, AdmissionStage.CreateSession,
            RefusalReason.MaxSessions);
        Assert.Equal("127.0.0.9", fixture.Admission.Decisions.Snapshot()[0].Address);
    }

    [Fact]
    public async Task CreateSession_TooManyOfOneAddress_BadTooManySessionsWithHint()
    {
        var fixture = Limited(limits => limits with { MaxSessionsPerAddress = 1 });
        var first = fixture.Connect(address: "127.0.0.2");
        await first.CreateSessionAsync();
        var second = fixture.Connect(address: "127.0.0.2");
        await AssertRefusedAsync(
            fixture, second, second.NewSession(), StatusCodes.BadTooManySessions, AdmissionStage.CreateSession,
            RefusalReason.MaxSessionsPerAddress);
        await fixture.Connect(address: "127.0.0.3").CreateSessionAsync();
    }

    [Fact]
    public async Task CreateSession_TooManyOnOneChannel_RefusedBeforeThePrivateKey()
    {
        var fixture = Limited(limits => limits with { MaxSessionsPerSecureChannel = 1 });
        var client = fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.2");
        await client.CreateSessionAsync();
        fixture.Lane.Dispose();
        await AssertRefusedAsync(
            fixture, client, client.NewSession(), StatusCodes.BadTooManySessions, AdmissionStage.CreateSession,
            RefusalReason.MaxSessionsPerSecureChannel);
        Assert.Equal(1, fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CreateSession_LaneTakesNothing_BadServerTooBusyWithHintAndPlaceGivenBack()
    {
        var fixture = Limited(limits => limits);
        fixture.Lane.Dispose();
        var client = fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.2");
        await AssertRefusedAsync(
            fixture, client, client.NewSession(), StatusCodes.BadServerTooBusy, AdmissionStage.CreateSession,
            RefusalReason.QueueFull);
        Assert.Equal(0, fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CreateSession_ShuttingDown_BadShutdownWithTheTimeOfReturn()
    {
        var fixture = Limited(limits => limits);
        fixture.Server.BeginShutdown(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(20));
        var client = fixture.Connect();
        var refusal = await client.RefusalAsync(client.Send(client.NewSession()));
        Assert.Equal((StatusCodes.BadShutdown, 25_000L), ((uint)refusal.Status.Code, refusal.RetryAfterMs));
        Assert.Equal(1, fixture.Admission.Stages.Shedded(AdmissionStage.CreateSession, RefusalReason.ShuttingDown));
    }

    [Fact]
    public async Task ActivateSession_TooManyOfOneUser_BadTooManySessionsWithHint()
    {
        var fixture = Limited(limits => limits with { MaxSessionsPerUser = 1 });
        await fixture.ConnectAsync("operator");
        var second = fixture.Connect();
        await second.CreateSessionAsync();
        await AssertRefusedAsync(
            fixture, second, second.NewActivation("operator"), StatusCodes.BadTooManySessions,
            AdmissionStage.ActivateSession, RefusalReason.MaxSessionsPerUser);
    }

    [Theory]
    [InlineData(RefusalReason.QueueFull)]
    [InlineData(RefusalReason.WaitedTooLong)]
    [InlineData(RefusalReason.PendingHandshakes)]
    public async Task ActivateSession_ValidatorTooBusy_HintAndNoTryUsedUp(RefusalReason reason)
    {
        var fixture = Limited(limits => limits with { MaxFailedActivations = 1 });
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        fixture.Users.Reason = reason;
        await AssertRefusedAsync(
            fixture, client, client.NewActivation("operator"), StatusCodes.BadServerTooBusy,
            AdmissionStage.ActivateSession, reason);
        fixture.Users.Reason = RefusalReason.None;
        await client.ActivateAsync("operator");
    }

    [Fact]
    public async Task ActivateSession_LockedOut_BadUserAccessDeniedWithoutHint()
    {
        var fixture = Limited(limits => limits);
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        fixture.Users.Reason = RefusalReason.LockedOut;
        var refusal = await client.RefusalAsync(client.Send(client.NewActivation("operator")));
        Assert.Equal((StatusCodes.BadUserAccessDenied, 0L), ((uint)refusal.Status.Code, refusal.RetryAfterMs));
        Assert.Equal(1, fixture.Admission.Stages.Shedded(AdmissionStage.ActivateSession, RefusalReason.LockedOut));
    }

    [Fact]
    public async Task ActivateSession_TooManyAtATimeOnAChannel_BadServerTooBusyWithHint()
    {
        var fixture = Limited(limits => limits);
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        fixture.Users.Gate = new TaskCompletionSource();
        for (var i = 0; i < 8; i++)
            client.Send(client.NewActivation("operator"));
        await AssertRefusedAsync(
            fixture, client, client.NewActivation("operator"), StatusCodes.BadServerTooBusy,
            AdmissionStage.ActivateSession, RefusalReason.PendingHandshakes);
        fixture.Users.Gate.SetResult();
    }

    [Fact]
    public async Task Request_TooManyPending_BadServerTooBusyWithHint()
    {
        var fixture = Limited(limits => limits with { MaxPendingRequestsPerSession = 1 });
        var client = await fixture.ConnectAsync();
        fixture.Source.Hold();
        var request = new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
        };
        client.Send(request);
        Assert.Equal(1, fixture.Admission.Stages.Use(AdmissionStage.Request));
        await AssertRefusedAsync(
            fixture, client, request, StatusCodes.BadServerTooBusy, AdmissionStage.Request,
            RefusalReason.PendingRequests);
        fixture.Source.Go();
    }

    [Fact]
    public async Task Request_TooMuchDecodedForAll_BadServerTooBusyWithHint()
    {
        var fixture = Limited(limits => limits with { MaxDecodedBytes = 1000 });
        var client = await fixture.ConnectAsync();
        var request = new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = TestPlant.Int32,
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(Variant.FromArray(BuiltInType.Variant, new Variant[5000])),
                },
            ],
        };
        await AssertRefusedAsync(
            fixture, client, request, StatusCodes.BadServerTooBusy, AdmissionStage.Request,
            RefusalReason.DecodeMemory);
    }

    /// <summary>R46: 11 MiB, which leaves less than the last sixth of 12.</summary>
    [Theory]
    [InlineData(12, true)]
    [InlineData(14, false)]
    public async Task Request_OneClientWouldDecodeIntoTheReserve_BadServerTooBusy(int budgetMiB, bool isRefused)
    {
        const int mib = 1024 * 1024;
        var fixture = Limited(limits => limits with { MaxDecodedBytes = budgetMiB * mib });
        var client = fixture.Connect(address: "127.0.0.2");
        await client.CreateSessionAsync();
        await client.ActivateAsync();
        var values = Variant.FromArray(BuiltInType.Variant, new Variant[mib / Unsafe.SizeOf<Variant>()]);
        var write = new WriteValue
        {
            NodeId = TestPlant.Int32,
            AttributeId = (uint)AttributeId.Value,
            Value = new DataValue(values),
        };
        var request = new WriteRequest { NodesToWrite = [.. Enumerable.Repeat(write, 11)] };

        var id = client.Send(request);

        if (isRefused)
            Assert.Equal(StatusCodes.BadServerTooBusy, (await client.RefusalAsync(id)).Status.Code);
        else
            await client.AnswerAsync<WriteResponse>(id);
        Assert.Equal(
            isRefused ? 1 : 0, fixture.Admission.Stages.Shedded(AdmissionStage.Request, RefusalReason.DecodeMemory));
    }

    [Fact]
    public async Task Publish_MoreThanHeld_OldestAnsweredAndCounted()
    {
        var fixture = Limited(limits => limits);
        var client = await fixture.ConnectAsync();
        await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1000, PublishingEnabled = true });
        var limit = (int)fixture.Admission.Stages.Limit(AdmissionStage.Publish);
        var oldest = client.Send(new PublishRequest());
        for (var i = 0; i < limit; i++)
            client.Send(new PublishRequest());
        Assert.Equal(StatusCodes.BadTooManyPublishRequests, await client.FaultAsync(oldest));
        var stages = fixture.Admission.Stages;
        Assert.Equal(1, stages.Shedded(AdmissionStage.Publish, RefusalReason.PublishRequests));
        Assert.Equal(limit, stages.Use(AdmissionStage.Publish));
        Assert.Equal(limit + 1, stages.Admitted(AdmissionStage.Publish));
    }

    [Fact]
    public async Task Activated_FirstTime_CertificateIsKnownAndStagesCount()
    {
        var fixture = Limited(limits => limits);
        var client = fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.2");
        await client.CreateSessionAsync();
        Assert.False(fixture.Admission.Known.IsKnown(client.Channel.PeerThumbprint));
        await client.ActivateAsync();
        Assert.True(fixture.Admission.Known.IsKnown(client.Channel.PeerThumbprint));
        Assert.Equal(1, fixture.Admission.Stages.Admitted(AdmissionStage.CreateSession));
        Assert.Equal(1, fixture.Admission.Stages.Admitted(AdmissionStage.ActivateSession));
        Assert.Equal(1, fixture.Admission.Stages.Use(AdmissionStage.ActivateSession));
    }

    private ServerFixture Limited(Func<ServerLimits, ServerLimits> limit)
    {
        var fixture = new ServerFixture(options => options with { Limits = limit(options.Limits) });
        _fixtures.Add(fixture);
        return fixture;
    }

    private static async Task AssertRefusedAsync(
        ServerFixture fixture, TestClient client, IServiceRequest request, uint status, AdmissionStage stage,
        RefusalReason reason)
    {
        var refusal = await client.RefusalAsync(client.Send(request));
        Assert.Equal(status, refusal.Status.Code);
        Assert.InRange(refusal.RetryAfterMs, 1, 60_000);
        Assert.Equal(1, fixture.Admission.Stages.Shedded(stage, reason));
        var decision = fixture.Admission.Decisions.Snapshot()[0];
        Assert.Equal((stage, reason, refusal.RetryAfterMs), (decision.Stage, decision.Reason, decision.RetryAfterMs));
    }
}
