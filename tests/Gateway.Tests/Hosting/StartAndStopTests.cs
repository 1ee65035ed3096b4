using Gateway.Tests.Http;

namespace Gateway.Tests.Hosting;

/// <summary>The whole composition starts each part after those it builds on, and ends it before them.</summary>
public sealed class StartAndStopTests
{
    /// <summary>The first WheelTimer is the server's, the second the client's.</summary>
    private static readonly string[] Order =
    [
        "PkiStore", "FailureAnswers", "DeadlineLoop", "NodeSampler", "AuditStore", "WheelTimer", "AuditLog",
        "LiveServerObject", "StreamBook",
        "SocketBook", "WheelTimer", "OwnCertificateReload", "CertificateExpiry", "ConditionTable",
        "PublishEngine", "KnownCertificatesFile", "PlantSimulator", "PlantSimulator", "DurableSubscriptions",
        "MemoryTrim", "OverviewSampler", "AlarmKeeper", "NoticeBoard", "LogGapReporter", "AdmissionReporter",
        "ConfigurationWatch",
    ];

    private static readonly string[] End =
    [
        "DurableSubscriptions", "ConfigurationWatch", "AdmissionReporter", "AlarmKeeper", "MemoryTrim", "WheelTimer",
        "PlantSimulator", "PlantSimulator", "KnownCertificatesFile", "OwnCertificateReload", "CertificateExpiry",
        "LogGapReporter", "SocketBook", "NoticeBoard", "OverviewSampler", "StreamBook",
        "LiveServerObject", "WheelTimer", "AuditLog", "AuditStore", "ConditionTable", "PublishEngine", "NodeSampler",
        "DeadlineLoop", "FailureAnswers", "PkiStore",
    ];

    [Fact]
    public async Task Gateway_StartedAndStopped_PartsInOrder()
    {
        var time = new RecordingTime();
        await using (var gateway = await RunningGateway.StartAsync(time, static _ => { }))
        {
            Assert.Equal(Order.Select(part => "+" + part), time.Lines);

            await gateway.StopAsync();
        }

        Assert.Equal(End.Select(part => "-" + part), time.Lines.Skip(Order.Length));
    }

    /// <summary>A host that fails to start is disposed without a stop.</summary>
    [Fact]
    public async Task Gateway_DisposedWithoutAStop_EveryPartEnds()
    {
        var time = new RecordingTime();
        await using (await RunningGateway.StartAsync(time, static _ => { }))
            Assert.NotEmpty(time.Lines);

        Assert.Equal(
            time.Lines.Where(line => line[0] == '+').Select(line => line[1..]).Order(),
            time.Lines.Where(line => line[0] == '-').Select(line => line[1..]).Order());
    }
}
