using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Gateway.Transport.Hosting;

namespace Gateway.Host;

/// <summary>The executable. Exit codes: 0 ended in order, 1 could not start; then standard error says why, one line
/// for each thing that is wrong.</summary>
internal static class Program
{
    private const int CannotStart = 1;

    public static async Task<int> Main(string[] arguments)
    {
        SocketTuning.Apply();
        return CommandLine.TryRunVerb(arguments) ?? await RunAsync(arguments, Console.Error).ConfigureAwait(false);
    }

    /// <param name="arguments">Of the command line.</param>
    /// <param name="errors">Gets one line for each thing that is wrong.</param>
    internal static async Task<int> RunAsync(string[] arguments, TextWriter errors)
    {
        if (ReadSettings(arguments, errors, out var configuration) is not { } settings)
            return CannotStart;
        try
        {
            await RunAsync(configuration!, settings).ConfigureAwait(false);
            return 0;
        }
        catch (ListenException error)
        {
            return await FailAsync(errors, StartProblem.Of(error, settings)).ConfigureAwait(false);
        }
        catch (Exception error) when (
            error is InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            return await FailAsync(errors, error.Message).ConfigureAwait(false);
        }
    }

    private static async Task<int> FailAsync(TextWriter errors, string problem)
    {
        await errors.WriteLineAsync("The gateway cannot start: " + problem).ConfigureAwait(false);
        return CannotStart;
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

    private static GatewaySettings? ReadSettings(
        string[] arguments, TextWriter output, out IConfigurationRoot? configuration)
    {
        configuration = null;
        IReadOnlyList<string> errors;
        try
        {
            configuration = CommandLine.ReadConfiguration(arguments);
            if (GatewaySettingsReader.TryRead(configuration, out errors) is { } settings)
                return settings;
        }
        catch (InvalidDataException error)
        {
            errors = [error.Message];
        }
        var places = errors.Count == 1 ? "one place" : $"{errors.Count} places";
        output.WriteLine($"The gateway cannot start: the configuration is wrong in {places}:");
        foreach (var error in errors)
            output.WriteLine("  " + error);
        return null;
    }
}
