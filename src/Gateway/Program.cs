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
        if (arguments is [HealthVerb.Name, ..])
            return await HealthVerb.RunAsync(arguments[1..], Console.Out, Console.Error).ConfigureAwait(false);
        SocketTuning.Apply();
        return CommandLine.TryRunVerb(arguments) ?? await RunAsync(arguments, Console.Error).ConfigureAwait(false);
    }

    /// <param name="arguments">The command line.</param>
    /// <param name="errors">Gets one line for each error.</param>
    internal static async Task<int> RunAsync(string[] arguments, TextWriter errors)
    {
        if (ReadOptions(arguments, errors) is not { } options)
            return CannotStart;
        try
        {
            await RunAsync(options).ConfigureAwait(false);
            return 0;
        }
        catch (ListenException error)
        {
            return await FailAsync(errors, StartProblem.Of(error, options.OpcUa.EndPoint)).ConfigureAwait(false);
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

    private static async Task RunAsync(GatewayOptions options)
    {
        var application = GatewayApplication.Build(options, new HostTime());
        await using (application.ConfigureAwait(false))
            await application.RunAsync().ConfigureAwait(false);
    }

    /// <returns>Null when there are errors.</returns>
    private static GatewayOptions? ReadOptions(string[] arguments, TextWriter output)
    {
        IReadOnlyList<string> errors;
        try
        {
            var options = new GatewayOptions(new ConfigurationSource(arguments).Read());
            errors = options.FindErrors();
            if (errors.Count == 0)
                return options;
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
