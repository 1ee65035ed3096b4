using Gateway.Admission.Explain;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;

namespace Gateway.Host.Http;

/// <summary>What is served over HTTP besides health: <c>/metrics</c> for all, <c>/api/v1</c> for users.</summary>
internal static class HttpApi
{
    public static void AddHttpApi(this IServiceCollection services)
    {
        services.AddUserAccess();
        services.AddSingleton(static of => new MetricsScraper(of.GetRequiredService<TimeProvider>()));
        services.AddSingleton(static _ => new ProcessMetrics());
        services.AddSingleton(static of => new LogCounters(of.GetRequiredService<LogThrottle>()));
        services.AddSingleton<HttpCounters>();
        services.AddSingleton<IStartupFilter, HttpAdmission>();
        services.AddSingleton(static of => new AdmissionCounters(of.GetRequiredService<GatewayParts>().Admission));
        services.AddSingleton(static of => new AdmissionExplainer(
            of.GetRequiredService<GatewayParts>().Admission, LimitTable.Of(of.GetRequiredService<GatewaySettings>())));
        services.AddHostedService<AdmissionReporter>();
    }

    public static void MapHttpApi(this WebApplication application)
    {
        var services = application.Services;
        // Made now: instruments are there only while their owner is.
        _ = services.GetRequiredService<ProcessMetrics>();
        _ = services.GetRequiredService<LogCounters>();
        _ = services.GetRequiredService<AdmissionCounters>();
        _ = services.GetRequiredService<HttpCounters>();
        application.MapMetrics(services.GetRequiredService<MetricsScraper>());
        var api = application.MapGroup("/api/v1").RequireUser();
        var parts = services.GetRequiredService<GatewayParts>();
        api.MapAdmission(parts.Admission, services.GetRequiredService<AdmissionExplainer>());
        api.MapUpstreams(parts.Sources);
    }
}
