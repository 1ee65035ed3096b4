using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Tests.Logging;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Rest;

/// <summary>What callers over HTTP did and were refused is on record as that of sessions is (R29).</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync.
public sealed class RestAuditTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Write = """{"values":[{"node":"nsu=urn:gateway:simulator;s=Int16","value":7}]}""";
    private const string Call =
        """{"object":"ns=2;s=Methods","method":"ns=2;s=Echo","inputs":["a"]}""";

    private readonly LogLines _log = new();
    private RestGateway _gateway = null!;

    public async Task InitializeAsync()
    {
        _gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreamsPerUser=1");
        _gateway.Host.Services.GetRequiredService<ILoggerFactory>().AddProvider(_log);
    }

    public async Task DisposeAsync()
    {
        await _gateway.DisposeAsync();
        _log.Dispose();
    }

    [Fact]
    public async Task Put_Accepted_OneLineWithUserAndDoor()
    {
        var (status, _) = await RestGateway.SendAsync(_gateway.Operator, HttpMethod.Put, "/api/v1/values", Write);

        Assert.Equal(200, status);
        var line = Assert.Single(_log.Lines, static one => one.Contains("Written", StringComparison.Ordinal));
        Assert.Contains("operator", line, StringComparison.Ordinal);
        Assert.Contains("by HTTP", line, StringComparison.Ordinal);
        Assert.Contains("s=Int16", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Put_Refused_LineAndDecision()
    {
        await RestGateway.SendAsync(_gateway.Observer, HttpMethod.Put, "/api/v1/values", Write);

        Assert.Single(_log.Lines, static one => one.Contains("WriteRefused", StringComparison.Ordinal));
        AssertDecision(RefusalReason.AccessDenied);
    }

    [Fact]
    public async Task Call_AcceptedAndRefused_ALineEach()
    {
        var (called, _) = await RestGateway.SendAsync(_gateway.Operator, HttpMethod.Post, "/api/v1/call", Call);
        var (refused, _) = await RestGateway.SendAsync(_gateway.Observer, HttpMethod.Post, "/api/v1/call", Call);

        Assert.Equal((200, 403), (called, refused));
        Assert.Single(_log.Lines, static one => one.Contains("Called", StringComparison.Ordinal));
        Assert.Single(_log.Lines, static one => one.Contains("CallRefused", StringComparison.Ordinal));
        AssertDecision(RefusalReason.AccessDenied);
    }

    [Fact]
    public async Task Stream_AboveItsCap_LineAndDecision()
    {
        const string Path = "/api/v1/stream?node=i%3D2258";
        using var first = await _gateway.Observer.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead);

        var (status, _) = await RestGateway.GetAsync(_gateway.Observer, Path);

        Assert.Equal(429, status);
        Assert.Single(_log.Lines, static one => one.Contains("SubscriptionRefused", StringComparison.Ordinal));
        AssertDecision(RefusalReason.MaxHttpStreamsPerUser);
    }

    private void AssertDecision(RefusalReason reason)
    {
        var newest = _gateway.Host.Get<AdmissionControl>().Decisions.Snapshot()[0];
        Assert.Equal((AdmissionStage.Request, reason), (newest.Stage, newest.Reason));
        Assert.Equal("observer", newest.User);
    }
}
