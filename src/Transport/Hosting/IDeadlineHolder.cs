namespace Gateway.Transport.Hosting;

/// <summary>A connection whose deadlines the deadline loop checks.</summary>
internal interface IDeadlineHolder
{
    /// <summary>Owned by the loop: where it sits.</summary>
    DeadlineSlot Slot { get; set; }

    /// <summary>On the loop's thread; must not block or throw.</summary>
    /// <param name="now">Of <see cref="TimeProvider.GetTimestamp"/>.</param>
    void CheckDeadlines(long now);
}
