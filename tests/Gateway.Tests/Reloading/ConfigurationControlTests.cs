using Gateway.Host.Configuration;
using Gateway.Host.Reloading;
using Gateway.Tests.Clock;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Reloading;

/// <summary>What a reload leaves behind where something fails.</summary>
public sealed class ConfigurationControlTests : IDisposable
{
    private const string OneUpstream = """{"Upstreams":[{"Name":"a","EndpointUrl":"opc.tcp://127.0.0.1:1"}]}""";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("control-");
    private readonly FailingPart _part = new();
    private readonly ReloadCounters _counters = new();
    private readonly ConfigurationControl _control;

    public ConfigurationControlTests()
    {
        Write("""{"Anonymous":{"Enabled":false}}""");
        _control = new(
            new ConfigurationSource([], _folder.FullName).Read(), () => [_part], _counters, TimeProvider.System,
            new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance),
            NullLogger<ConfigurationControl>.Instance);
    }

    private string File => Path.Combine(_folder.FullName, "appsettings.json");

    public void Dispose()
    {
        _control.Dispose();
        _counters.Dispose();
        _folder.Delete(recursive: true);
    }

    /// <summary>A mount that was lost for seconds meant the defaults: no users, and anonymous ones let in.</summary>
    [Fact]
    public async Task Reload_FileHasVanished_RejectedAndAllStays()
    {
        System.IO.File.Delete(File);

        var reload = await _control.ReloadAsync("a test");

        Assert.Contains("no longer there", Assert.Single(reload.Verdict.Errors).Problem, StringComparison.Ordinal);
        Assert.True(_control.State.InForce.IsGiven("Anonymous:Enabled"));
        Assert.Equal(1, _counters.Rejected);
    }

    /// <summary>Of ConfigurationUpdatedAuditEventType: one that is not taken over is no new version.</summary>
    [Fact]
    public async Task Reload_Versions_RiseWithEachThatIsTakenOver()
    {
        var first = await _control.ReloadAsync("a test");
        Assert.True(first.Versions.New > first.Versions.Old);
        var second = await _control.ReloadAsync("a test");
        Assert.Equal(first.Versions.New, second.Versions.Old);
        Assert.True(second.Versions.New > second.Versions.Old);
        Write("""{"Limits":{"MaxSessions":"none"}}""");
        var wrong = await _control.ReloadAsync("a test");
        Assert.Equal((second.Versions.New, second.Versions.New), wrong.Versions);
    }

    /// <summary>The values counted as in force, and no later reload tried them again.</summary>
    [Fact]
    public async Task Reload_PartFailed_StaysAsItWasAndIsAskedAgain()
    {
        Write(OneUpstream);

        var failed = await _control.ReloadAsync("a test");
        var wasGiven = _control.State.InForce.IsGiven("Upstreams:0:Name");
        _part.IsFailing = false;
        var taken = await _control.ReloadAsync("a test");

        Assert.Equal("Upstreams", Assert.Single(failed.Verdict.Faults).Key);
        Assert.False(wasGiven);
        Assert.Empty(taken.Verdict.Faults);
        Assert.Equal(2, _part.Calls);
        Assert.True(_control.State.InForce.IsGiven("Upstreams:0:Name"));
    }

    /// <summary>What came between the reading of the file and the first look was never seen.</summary>
    [Fact]
    public async Task Watch_FileChangedWhileTheGatewayStarted_TakenOver()
    {
        var start = new ConfigurationSource([], _folder.FullName).Read();
        Write(OneUpstream);
        _part.IsFailing = false;
        using var watch = new ConfigurationWatch(
            _control, start, static () => throw new InvalidOperationException("here is no trail"),
            TimeProvider.System, NullLogger<ConfigurationWatch>.Instance);
        await watch.StartingAsync(CancellationToken.None);

        watch.Look();
        watch.Look();

        await Condition.UntilAsync(() => _control.State.InForce.IsGiven("Upstreams:0:Name"));
    }

    private void Write(string json) => System.IO.File.WriteAllText(File, json);

    private sealed class FailingPart : ILivePart
    {
        public IReadOnlyList<string> Sections { get; } = ["Upstreams"];

        public bool IsFailing { get; set; } = true;

        public int Calls { get; private set; }

        public ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
        {
            Calls++;
            return IsFailing ? throw new InvalidOperationException("as the test wants") : ValueTask.CompletedTask;
        }
    }
}
