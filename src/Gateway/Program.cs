using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
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
        if (ReadSettings(arguments, errors, out var layers) is not { } settings)
            return CannotStart;
        try
        {
            await RunAsync(layers!, settings).ConfigureAwait(false);
            return 0;
        }
        catch (ListenException error)
        {
            return await FailAsync(errors, StartProblem.Of(error, settings.OpcUaEndPoint)).ConfigureAwait(false);
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

    private static async Task RunAsync(ConfigurationLayers layers, GatewaySettings settings)
    {
        var application = GatewayApplication.Build(layers, settings, new HostTime());
        await using (application.ConfigureAwait(false))
            await application.RunAsync().ConfigureAwait(false);
    }

    private static GatewaySettings? ReadSettings(
        string[] arguments, TextWriter output, out ConfigurationLayers? layers)
    {
        layers = null;
        IReadOnlyList<string> errors;
        try
        {
            layers = new ConfigurationLayers(CommandLine.ReadConfiguration(arguments));
            if (GatewaySettingsReader.TryRead(layers, out errors) is { } settings)
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
