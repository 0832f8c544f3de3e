"""The pages: the only Streamlit code beside `app.py`. They read the store and send commands; no loop runs in them."""
