using Gateway.Host.Configuration;
using Microsoft.Extensions.Logging.Console;

namespace Gateway.Host.Logging;

/// <summary>The log on standard output, <c>simple</c> or <c>json</c>, guarded.</summary>
internal static class ConsoleLog
{
    public static void AddConsoleLog(this IServiceCollection services) => services
        .AddSingleton<LogThrottle>()
        .AddSingleton<ConsoleFormatter>(static of => new GuardedFormatter(
            MakeFormatter(of.GetRequiredService<LogOptions>().AsJson), of.GetRequiredService<LogThrottle>()))
        .AddHostedService<LogGapReporter>()
        .AddLogging(Configure);

    private static void Configure(ILoggingBuilder logging)
    {
        logging.ClearProviders();
        logging.SetMinimumLevel(LogLevel.Information);
        logging.AddFilter("Microsoft", LogLevel.Warning);
        // It would tell a failed start by a stack trace. What it tells ends the program, which says so in one line.
        logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        // A log that nobody reads must not hold up the plant.
        logging.AddConsole(console =>
        {
            console.FormatterName = GuardedFormatter.FormatterName;
            console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite;
        });
    }

    /// <summary>The runtime's own, which only its container can make.</summary>
    internal static ConsoleFormatter MakeFormatter(bool asJson)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging =>
        {
            if (asJson)
                logging.AddJsonConsole(json => (json.UseUtcTimestamp, json.TimestampFormat) = (true, "O"));
            else
                logging.AddSimpleConsole(simple =>
                {
                    simple.SingleLine = true;
                    simple.UseUtcTimestamp = true;
                    simple.TimestampFormat = "yyyy-MM-dd'T'HH:mm:ss.fff'Z' ";
                });
        });
        var name = asJson ? ConsoleFormatterNames.Json : ConsoleFormatterNames.Simple;
        return services.BuildServiceProvider().GetServices<ConsoleFormatter>()
            .First(formatter => formatter.Name == name);
    }
}
