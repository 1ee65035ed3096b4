using System.Runtime.CompilerServices;
using Gateway.Host.Configuration;
using Gateway.Host.Logging;
using Gateway.Transport.Tracing;
using OpenTelemetry.Exporter;

namespace Gateway.Host.Telemetry;

/// <summary>Registers tracing, and the export by OTLP where it is asked for.</summary>
internal static class TelemetryServices
{
    /// <param name="services">Of the gateway.</param>
    /// <param name="options">Where to.</param>
    /// <param name="applicationUri">Says which gateway it is.</param>
    public static IServiceCollection AddTelemetry(
        this IServiceCollection services, OtlpOptions options, string applicationUri)
    {
        services.AddSingleton(static of => new RequestTracing(
            TracingOf(of.GetRequiredService<OtlpOptions>(), of.GetRequiredService<OtlpLimits>()),
            of.GetRequiredService<TimeProvider>()));
        if (options.IsOn)
            AddOtlp(services, applicationUri);
        return services;
    }

    /// <summary>By itself: without a collector the exporter's assembly is not loaded.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AddOtlp(IServiceCollection services, string applicationUri) => services
        .AddSingleton(OtlpExport.ResourceOf(applicationUri))
        .AddSingleton<OtlpTeller>()
        .AddSingleton<OtlpCounters>()
        .AddSingleton<OtlpExport>()
        .AddSingleton<IHostedService>(static of => of.GetRequiredService<OtlpExport>())
        .AddSingleton<IStartupFilter, HttpTracing>()
        .AddSingleton(static of => new OtlpLogExporter(
            OtlpExport.OptionsOf(of.GetRequiredService<OtlpOptions>(), "logs")))
        .AddLogging(logging => logging.AddOpenTelemetry(records =>
        {
            records.IncludeFormattedMessage = true;
            records.ParseStateValues = true;
            records.AddProcessor(MakeRecords);
            records.AddProcessor(static of => new ExporterOfProvider(of.GetRequiredService<OtlpLogExporter>()));
            records.SetResourceBuilder(OtlpExport.ResourceOf(applicationUri));
        }));

    private static GuardedRecords MakeRecords(IServiceProvider of)
    {
        var (counters, limits) = (of.GetRequiredService<OtlpCounters>(), of.GetRequiredService<OtlpLimits>());
        return new GuardedRecords(
            new CountedRecords(
                of.GetRequiredService<OtlpLogExporter>(),
                new OtlpOutcome(counters.Logs, of.GetRequiredService<OtlpTeller>())),
            new LogThrottle(of.GetRequiredService<LogLimits>(), of.GetRequiredService<TimeProvider>()),
            counters.Logs, limits.MaxOtlpQueueLength);
    }

    private static TracingOptions TracingOf(OtlpOptions options, OtlpLimits limits) => new()
    {
        IsOn = options.IsOn,
        SampleRatio = options.SampleRatio,
        MaxAskedPerSecond = limits.MaxAskedTracesPerSecond,
    };
}
