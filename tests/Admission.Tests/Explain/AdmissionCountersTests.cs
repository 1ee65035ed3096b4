using System.Diagnostics.Metrics;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Tests.Explain;

public sealed class AdmissionCountersTests
{
    [Fact]
    public void Shed_Refused_ByStageAndReason()
    {
        var control = new AdmissionControl(new AdmissionLimits(), TimeProvider.System, true, 200);
        using var counters = new AdmissionCounters(control);
        counters.Start();
        control.Refuse(AdmissionStage.CreateSession, RefusalReason.MaxSessions, "127.0.0.1", null, null);
        control.Stages.Admit(AdmissionStage.Open);

        var read = Read(counters);

        Assert.Contains(("gateway_admission_shed_total", "create_session", "max_sessions", 1), read);
        Assert.Contains(("gateway_admission_shed_total", "connection", "queue_full", 0), read);
        Assert.Contains(("gateway_admission_admitted_total", "open", "", 1), read);
        Assert.Contains(("gateway_admission_concurrency_share", "", "", 1), read);
    }

    [Fact]
    public void Waited_Observed_InSeconds()
    {
        var time = new Testing.ManualTimeProvider();
        var control = new AdmissionControl(new AdmissionLimits(), time, true, 200);
        var since = time.GetTimestamp();
        time.Advance(250);
        var seen = new List<double>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, me) =>
        {
            if (instrument.Name == "gateway_admission_wait_seconds")
                me.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) =>
        {
            if (Equals(tags[0].Value, "renew"))
                seen.Add(value);
        });
        listener.Start();

        control.Waited(AdmissionStage.Renew, since);

        Assert.Equal([0.25], seen);
    }

    [Fact]
    public void Counters_Made_OnlyStageAndReasonAsLabels()
    {
        var control = new AdmissionControl(new AdmissionLimits(), TimeProvider.System, true, 200);
        using var counters = new AdmissionCounters(control);
        counters.Start();

        Assert.NotEmpty(Read(counters));
    }

    private static List<(string Name, string Stage, string Reason, double Value)> Read(AdmissionCounters counters)
    {
        var read = new List<(string, string, string, double)>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, me) =>
        {
            if (counters.Owns(instrument))
                me.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((one, value, tags, _) => Keep(one, value, tags));
        listener.SetMeasurementEventCallback<int>((one, value, tags, _) => Keep(one, value, tags));
        listener.SetMeasurementEventCallback<double>((one, value, tags, _) => Keep(one, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return read;

        void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            string stage = "", reason = "";
            foreach (var tag in tags)
            {
                Assert.Contains(tag.Key, new[] { "stage", "reason" });
                if (tag.Key == "stage")
                    stage = (string)tag.Value!;
                else
                    reason = (string)tag.Value!;
            }

            read.Add((instrument.Name, stage, reason, value));
        }
    }
}
