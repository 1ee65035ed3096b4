using Gateway.Host.Configuration;
using Gateway.Host.Reloading;
using Microsoft.Extensions.Logging.Console;
using Microsoft.Extensions.Options;

namespace Gateway.Host.Logging;

/// <summary>The log on standard output, <c>simple</c> or <c>json</c>, behind <see cref="GuardedFormatter"/>.</summary>
internal static class ConsoleLog
{
    public static void AddConsoleLog(this IServiceCollection services) => services
        .AddSingleton<LogThrottle>()
        .AddSingleton<LogLevels>()
        .AddSingleton<ILivePart>(static of => of.GetRequiredService<LogLevels>())
        .AddSingleton<IPostConfigureOptions<LoggerFilterOptions>>(static of => of.GetRequiredService<LogLevels>())
        .AddSingleton<IOptionsChangeTokenSource<LoggerFilterOptions>>(
            static of => of.GetRequiredService<LogLevels>())
        .AddSingleton<ConsoleFormatter>(static of => new GuardedFormatter(
            MakeFormatter(of.GetRequiredService<LogOptions>().AsJson), of.GetRequiredService<LogThrottle>()))
        .AddHostedService<LogGapReporter>()
        .AddLogging(Configure);

    private static void Configure(ILoggingBuilder logging)
    {
        logging.ClearProviders();
        logging.SetMinimumLevel(LogLevel.Information);
        logging.AddFilter("Microsoft", LogLevel.Warning);
        // This category would log a failed start with a stack trace. Such an error ends the program, which prints it in
        // one line.
        logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        // While this category's logger is on, each request makes an Activity and a scope that no line of ours shows.
        // Kestrel logs a fault that a request does not contain.
        logging.AddFilter("Microsoft.AspNetCore.Hosting.Diagnostics", LogLevel.None);
        // A log whose output is not read must not block the gateway.
        logging.AddConsole(console =>
        {
            console.FormatterName = GuardedFormatter.FormatterName;
            console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite;
        });
    }

    /// <summary>The runtime's own formatter, which only its container can create.</summary>
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
