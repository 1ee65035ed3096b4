using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Gateway.Host.Configuration;
using Gateway.Host.Logging;
using Gateway.Testing;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Logging;

/// <summary>R24: nothing that a peer says leaves as a command to a terminal or as a line of its own, and no flood
/// writes more than stated.</summary>
public sealed partial class GuardedFormatterTests : IDisposable
{
    private const string Hostile = "ok\u001b[2J\r\nwarn: forged line\u009b31m\u202e\u2028\0end";

    private readonly ManualTimeProvider _time = new();
    private LogCapture? _log;

    public void Dispose() => _log?.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Write_HostileValueMessageAndException_OneLineWithoutControls(bool asJson)
    {
        var log = Capture(asJson);
        var logger = log.CreateLogger("Upstream");

        PeerSaid(logger, Hostile);
        logger.Log(LogLevel.Error, default, Hostile, null, static (state, _) => state);
        PeerFailed(logger, Thrown(), Hostile);

        Assert.Equal(3, log.Lines.Length);
        Assert.DoesNotContain(log.Text.ToString(), character => character != '\n' && char.IsControl(character));
        Assert.All(log.Lines, line => Assert.Contains("forged line", line, StringComparison.Ordinal));
        Assert.Contains(" at ", log.Lines[2], StringComparison.Ordinal);
        if (asJson)
            Assert.All(log.Lines, AssertDecodedIsHarmless);
    }

    /// <summary>A reader of JSON sorts and parses them.</summary>
    [Fact]
    public void Write_Times_InIso8601()
    {
        var log = Capture(asJson: true);
        var at = new DateTime(2026, 12, 22, 14, 1, 54, DateTimeKind.Utc);

        DateTimeOffset offset = at;
        var logger = log.CreateLogger("Certificates");
        Expires(logger, at, offset);

        using var line = JsonDocument.Parse(log.Lines[0]);
        var state = line.RootElement.GetProperty("State");
        Assert.Equal(at, state.GetProperty("NotAfter").GetDateTime());
        Assert.Equal(at, state.GetProperty("At").GetDateTimeOffset().UtcDateTime);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Write_InsideATracedRequest_LineHasTheIds(bool asJson)
    {
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == RequestTracing.SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) =>
                ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(listener);
        using var tracing = new RequestTracing(new TracingOptions { IsOn = true, SampleRatio = 1 }, _time);
        var log = Capture(asJson);
        var logger = log.CreateLogger("Audit");

        PeerSaid(logger, "before");
        using var span = tracing.Start("Write", ActivityKind.Server, default);
        PeerSaid(logger, "within");

        Assert.DoesNotContain("race", log.Lines[0], StringComparison.Ordinal);
        Assert.Contains(span!.TraceId.ToHexString(), log.Lines[1], StringComparison.Ordinal);
        if (asJson)
            Assert.Contains($"\"SpanId\":\"{span.SpanId}\"", log.Lines[1], StringComparison.Ordinal);
    }

    [LoggerMessage(Level = LogLevel.Information, Message = "Valid until {NotAfter} since {At}")]
    private static partial void Expires(ILogger logger, DateTime notAfter, DateTimeOffset at);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Write_EndlessValue_Cut(bool asJson)
    {
        var log = Capture(asJson);

        PeerSaid(log.CreateLogger("Upstream"), new string('\u001b', 100_000));

        Assert.InRange(Encoding.UTF8.GetByteCount(log.Text.ToString()), 1_000, 10_000);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Write_FloodOfManyKinds_NeverMoreThanAMebibyteInAnyMinute(bool asJson)
    {
        var log = Capture(asJson);
        var loggers = Enumerable.Range(0, 40).Select(i => log.CreateLogger("Kind" + i)).ToArray();
        var written = new List<int>();
        var before = 0;
        for (var second = 0; second < 180; second++)
        {
            for (var i = 0; i < 400; i++)
                PeerSaid(loggers[i % loggers.Length], new string('x', 50 * (i % 40)));
            written.Add(log.Text.GetStringBuilder().Length - before);
            before = log.Text.GetStringBuilder().Length;
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        var worst = Enumerable.Range(0, 120).Max(start => written.Skip(start).Take(60).Sum());
        Assert.InRange(worst, 300_000, 1024 * 1024);
    }

    [Fact]
    public void Write_FloodOfOneKind_DoesNotHideAnother()
    {
        var log = Capture(asJson: false);
        var flooded = log.CreateLogger("Flooded");
        for (var i = 0; i < 100_000; i++)
            PeerSaid(flooded, "again");

        PeerSaid(log.CreateLogger("Rare"), "look here");

        Assert.Contains("look here", log.Lines[^1], StringComparison.Ordinal);
        Assert.InRange(log.Lines.Length, 100, 601);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_AfterAFlood_OneLineWithTheCountOfTheKind(bool asJson)
    {
        var throttle = new LogThrottle(new LogLimits { MaxLogLinesPerMinute = 20 }, _time);
        var log = _log = new LogCapture(throttle, asJson);
        using var reporter = new LogGapReporter(throttle, log, _time);
        await reporter.StartAsync(default);
        for (var i = 0; i < 25; i++)
            PeerSaid(log.CreateLogger("Flooded"), "again");
        PeerSaid(log.CreateLogger("Calm"), "once");
        Assert.Equal(11, log.Lines.Length);

        _time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(12, log.Lines.Length);
        Assert.Contains("15 lines of this kind were not logged in the last minute", log.Lines[^1],
            StringComparison.Ordinal);
        Assert.Contains("A peer said {Text}", log.Lines[^1], StringComparison.Ordinal);
        Assert.Contains("Flooded", log.Lines[^1], StringComparison.Ordinal);
        Assert.Equal(15, throttle.Dropped);
        Assert.Equal(11, throttle.Written);
    }

    [Fact]
    public async Task Report_NothingLeftOut_NoLine()
    {
        var throttle = new LogThrottle(new LogLimits(), _time);
        var log = _log = new LogCapture(throttle, asJson: false);
        using var reporter = new LogGapReporter(throttle, log, _time);
        await reporter.StartAsync(default);
        PeerSaid(log.CreateLogger("Calm"), "once");

        _time.Advance(TimeSpan.FromMinutes(5));

        Assert.Single(log.Lines);
    }

    [Fact]
    public void TryTake_MoreKindsThanAreTracked_ShareOneEntry()
    {
        var throttle = new LogThrottle(new LogLimits(), _time);
        for (var i = 0; i < 5_000; i++)
            throttle.TryTake(new LogKind("Kind", i, null), null);

        Assert.Equal(LogThrottle.MaxKinds - 1 + 300 + 1, throttle.Written, 1.0);
        Assert.Single(throttle.TakeGaps());
    }

    private LogCapture Capture(bool asJson) => _log = new LogCapture(new LogThrottle(new LogLimits(), _time), asJson);

    private static void AssertDecodedIsHarmless(string line)
    {
        using var json = JsonDocument.Parse(line);
        AssertHarmless(json.RootElement);
    }

    private static void AssertHarmless(JsonElement element)
    {
        if (element.ValueKind == JsonValueKind.Object)
            Assert.All(element.EnumerateObject(), property => AssertHarmless(property.Value));
        else
            Assert.DoesNotContain(element.ToString(), char.IsControl);
    }

    private static InvalidOperationException Thrown()
    {
        try
        {
            throw new InvalidOperationException(Hostile);
        }
        catch (InvalidOperationException exception)
        {
            return exception;
        }
    }

    [LoggerMessage(7, LogLevel.Warning, "A peer said {Text}")]
    private static partial void PeerSaid(ILogger logger, string text);

    [LoggerMessage(8, LogLevel.Error, "A peer made {Text} fail")]
    private static partial void PeerFailed(ILogger logger, Exception exception, string text);
}
