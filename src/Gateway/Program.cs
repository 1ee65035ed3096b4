using Gateway.AddressSpace.Import;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Gateway.Transport.Hosting;

namespace Gateway.Host;

/// <summary>The executable. Exit codes: 0 ended in order, 1 could not start, 2 the configuration is wrong.</summary>
internal static class Program
{
    private const int CannotStart = 1;
    private const int WrongConfiguration = 2;

    public static async Task<int> Main(string[] arguments)
    {
        SocketTuning.Apply();
        if (CommandLine.TryRunVerb(arguments) is { } verb)
            return verb;
        if (ReadSettings(arguments, out var configuration) is not { } settings)
            return WrongConfiguration;
        try
        {
            await RunAsync(configuration!, settings).ConfigureAwait(false);
            return 0;
        }
        catch (Exception error) when (
            error is InvalidOperationException or NodeSetException or IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync("The gateway cannot start: " + error.Message).ConfigureAwait(false);
            return CannotStart;
        }
    }

    private static async Task RunAsync(IConfiguration configuration, GatewaySettings settings)
    {
        var time = new HostTime();
        // One for both factories: what they write together is bounded.
        var throttle = new LogThrottle(settings.LogLimits, time);
        using var loggers = LoggerFactory.Create(logging => logging.AddConsoleLog(settings, throttle));
        using var gaps = new LogGapReporter(throttle, loggers, time);
        var builder = GatewayApplication.CreateBuilder(configuration, settings, throttle);
        var parts = new GatewayParts(settings, time, loggers);
        await using (parts.ConfigureAwait(false))
        {
            var application = GatewayApplication.Build(builder, settings, parts, time);
            await using (application.ConfigureAwait(false))
                await application.RunAsync().ConfigureAwait(false);
        }
    }

    private static GatewaySettings? ReadSettings(string[] arguments, out IConfiguration? configuration)
    {
        configuration = null;
        IReadOnlyList<string> errors;
        try
        {
            configuration = CommandLine.ReadConfiguration(arguments);
            if (GatewaySettingsReader.TryRead(configuration, out errors) is { } settings)
                return settings;
        }
        catch (Exception error) when (error is InvalidDataException or FormatException)
        {
            errors = [error.InnerException is null ? error.Message : $"{error.Message} {error.InnerException.Message}"];
        }
        Console.Error.WriteLine($"The configuration is wrong in {errors.Count} places:");
        foreach (var error in errors)
            Console.Error.WriteLine("  " + error);
        return null;
    }
}
