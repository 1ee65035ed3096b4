using System.Globalization;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Loadtest.Machine;
using Gateway.Sources;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Tests.Hosting;

/// <summary>The whole gateway in this process, on free loopback ports, as the program composes it.</summary>
internal static class Composition
{
    public static WebApplication Build(TimeProvider time, params string[] options) => Build(time, [], options);

    /// <param name="time">Of all parts.</param>
    /// <param name="drivers">Beside the product's.</param>
    /// <param name="options">As on the command line; they win over the ports of here.</param>
    public static WebApplication Build(
        TimeProvider time, SourceDriverRegistration[] drivers, params string[] options)
    {
        var settings = new GatewayOptions(new ConfigurationSource(
        [
            "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={FreePort.Next()}", "--Http:Address=127.0.0.1",
            $"--Http:Port={FreePort.Next()}", "--Simulator:Tags=10", .. options,
        ]).Read());
        Assert.Empty(settings.FindErrors());
        return GatewayApplication.Build(settings, time, drivers);
    }

    public static WebApplication Build(params string[] options) => Build(TimeProvider.System, options);

    public static T Get<T>(this WebApplication application)
        where T : class => application.Services.GetRequiredService<T>();

    public static Uri HttpOf(WebApplication application)
    {
        var http = application.Get<HttpOptions>();
        return new(string.Create(CultureInfo.InvariantCulture, $"{http.Scheme}://127.0.0.1:{http.EndPoint.Port}"));
    }
}
