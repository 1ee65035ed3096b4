using Gateway.Admission.Explain;
using Gateway.Admission.Load;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Admission.Hosting;

/// <summary>Registers the parts that admit connections.</summary>
public static class AdmissionServices
{
    /// <summary>Needs <see cref="AdmissionLimits"/>, <see cref="AdmissionOptions"/>, an <see cref="IHandshakeGuess"/>
    /// and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddAdmission(this IServiceCollection services) => services
        .AddSingleton(static of => new AdmissionControl(
            of.GetRequiredService<AdmissionLimits>(),
            of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<AdmissionOptions>().Enabled,
            of.GetRequiredService<IHandshakeGuess>().PerSecond))
        .AddSingleton<AdmissionCounters>();
}
