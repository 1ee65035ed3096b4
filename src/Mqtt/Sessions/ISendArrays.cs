namespace Gateway.Mqtt.Sessions;

/// <summary>The arrays of send buffers; <see cref="PooledSendArrays"/>, or a test's that has none left.</summary>
internal interface ISendArrays
{
    /// <exception cref="OutOfMemoryException">There is none.</exception>
    byte[] Rent(int atLeastBytes);

    void Return(byte[] array);
}
