using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Host.Configuration;
using Gateway.Host.Logging;
using Gateway.Rest.Hosting;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Http;

/// <summary>What is served over HTTP besides health: <c>/metrics</c> for all, <c>/api/v1</c> and <c>/opcua</c> for
/// users.</summary>
internal static class HttpApi
{
    public static IServiceCollection AddHttpApi(this IServiceCollection services)
    {
        services.AddUserAccess();
        return services
            .AddRest()
            .AddSingleton<ProcessMetrics>()
            .AddSingleton<LogCounters>()
            .AddSingleton<HttpCounters>()
            .AddSingleton(static of => new MetricsScraper(of.GetRequiredService<TimeProvider>(), "Gateway.*"))
            .AddStarting<ProcessMetrics>(static metrics => metrics.Start())
            .AddStarting<LogCounters>(static counters => counters.Start())
            .AddStarting<AdmissionCounters>(static counters => counters.Start())
            .AddStarting<HttpCounters>(static counters => counters.Start())
            .AddStarting<MetricsScraper>(static scraper => scraper.Start())
            .AddSingleton<IStartupFilter, HttpAdmission>()
            .AddSingleton<LimitTable>()
            .AddSingleton(static of => new AdmissionExplainer(
                of.GetRequiredService<AdmissionControl>(), of.GetRequiredService<LimitTable>().ByName))
            .AddHostedService<AdmissionReporter>();
    }

    public static void MapHttpApi(this WebApplication application)
    {
        application.MapMetrics();
        var api = application.MapGroup("/api/v1").RequireUser();
        api.MapAdmission();
        api.MapUpstreams();
        api.MapRest();
        application.MapGroup("/opcua").RequireUser().MapOpcUa();
    }
}
