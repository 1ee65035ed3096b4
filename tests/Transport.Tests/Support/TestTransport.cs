using Gateway.Admission;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Tests.Support;

/// <summary>Parts that a test does not look at, with their defaults.</summary>
internal static class TestTransport
{
    public static TransportContext Make(
        TransportLimits? limits = null, TimeProvider? time = null, ILoggerFactory? loggers = null,
        AdmissionControl? admission = null, HttpLimits? http = null)
    {
        var clock = time ?? TimeProvider.System;
        return new TransportContext(
            limits ?? new TransportLimits(), http ?? new HttpLimits(), admission ?? MakeAdmission(clock),
            new PlantLateness(), clock, loggers ?? NullLoggerFactory.Instance, outgoing: 0);
    }

    public static TransportCounters MakeCounters() => new(new MemoryBudget(0), static _ => { });

    public static PrivateKeyLane MakeLane(
        TransportLimits limits, TimeProvider time, TransportCounters? counters = null,
        AdmissionControl? admission = null, PlantLateness? lateness = null) => new(
            limits, time, counters ?? MakeCounters(), admission ?? MakeAdmission(time),
            lateness ?? new PlantLateness());

    private static AdmissionControl MakeAdmission(TimeProvider time) => new(new AdmissionLimits(), time, true, 200);
}
