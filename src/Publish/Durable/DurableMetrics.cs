using System.Diagnostics.Metrics;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Durable;

/// <summary>Instruments of the meter <c>Gateway.Publish</c> about durable subscriptions.</summary>
internal sealed class DurableMetrics : IDisposable
{
    private readonly Meter _meter = new("Gateway.Publish");

    public DurableMetrics(DurableBook book, DurableSubscriptions saver)
    {
        Gauge("gateway_durable_subscriptions", () => book.Count, "Durable subscriptions now.");
        Gauge("gateway_durable_items", () => book.Items, "Monitored items of durable subscriptions now.");
        Gauge("gateway_durable_waiting_items", () => saver.WaitingItems,
            "Restored items whose node is not there yet.");
        Gauge("gateway_durable_queued_bytes", () => book.Bytes,
            "Queued values of durable subscriptions now, as they lie on disk.", "By");
        Gauge("gateway_durable_file_bytes", () => saver.FileBytes, "Files of durable subscriptions now.", "By");
        _meter.CreateObservableGauge(
            "gateway_durable_unsaved_seconds", () => saver.UnsavedTime.TotalSeconds, "s",
            "Since all durable subscriptions were last on disk.");
        Count("gateway_durable_refused_total", () => book.Refused,
            "Durable subscriptions and their items refused at a limit.");
        Count("gateway_durable_shortages_total", () => book.Shortages,
            "Values of durable subscriptions that found no room in bytes.");
        Count("gateway_durable_number_waits_total", () => book.NumberWaits,
            "Publishing cycles in which values waited until the disk had more sequence numbers.");
        Count("gateway_durable_restored_total", () => saver.Restored, "Durable subscriptions restored at a start.");
        Count("gateway_durable_lost_total", () => saver.Lost,
            "Files of durable subscriptions that could not be read.");
        Count("gateway_durable_lost_items_total", () => saver.LostItems,
            "Items for events that found no room for their filter when they were restored.");
        Count("gateway_durable_disk_errors_total", () => saver.DiskErrors,
            "Saves of a durable subscription that the disk refused.");
    }

    public void Dispose() => _meter.Dispose();

    private void Gauge(string name, Func<long> value, string description, string? unit = null) =>
        _meter.CreateObservableGauge(name, value, unit, description);

    private void Count(string name, Func<long> value, string description) =>
        _meter.CreateObservableCounter(name, value, null, description);
}
